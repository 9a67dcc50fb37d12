"""`whistlestop rules`: the rules page for a terminal or a pipe."""

from __future__ import annotations

import sys
import textwrap
from itertools import groupby
from shutil import get_terminal_size
from typing import NoReturn

from whistlestop import rulebook
from whistlestop.cli.inputs import edition_of, is_map_file
from whistlestop.cli.terminal import fail, print_json, styled
from whistlestop.rulebook import Rule
from whistlestop.spelling import did_you_mean

WIDTH = 90
OURS = {"en": "Our ruling", "de": "Unsere Entscheidung"}
EDITIONS_ARE = "the editions are {}; a map file's name ends in .toml"


def print_rules(edition: str | None, wanted: str | None, language: str, as_json: bool) -> None:
    """Print the rules of an edition, or all; `wanted` picks one id or one group of ids."""
    if language not in rulebook.LANGUAGES:
        fail(f"the rules are not written in `{language}`", f"the languages are {', '.join(rulebook.LANGUAGES)}")
    chosen = _pick(_rules_of(edition, language), wanted, edition)
    if as_json:
        print_json([rule.json() for rule in chosen])
        return
    intros = rulebook.chapters(language) if wanted is None else {}
    width = min(get_terminal_size((WIDTH, 24)).columns, WIDTH)
    blocks = [
        _chapter(title, intros.get(title, ""), list(rules), OURS[language], name_editions=edition is None, width=width)
        for title, rules in groupby(chosen, key=lambda rule: rule.chapter)
    ]
    print("\n\n".join(blocks))


def _rules_of(edition: str | None, language: str) -> list[Rule]:
    if edition is None:
        return rulebook.rules(language=language)
    if is_map_file(edition):
        return rulebook.rules_of(edition_of(edition), language)
    known = rulebook.known_editions()
    if edition not in known:
        fail(f"there is no edition `{edition}`", did_you_mean(edition, known) or EDITIONS_ARE.format(", ".join(known)))
    return rulebook.rules(edition, language)


def _pick(rules: list[Rule], wanted: str | None, edition: str | None) -> list[Rule]:
    if wanted is None:
        return rules
    name = wanted.upper()
    found = [rule for rule in rules if name in (rule.id, _group(rule.id))]
    if not found:
        _no_such_rule(name, rules, edition)
    return found


def _no_such_rule(name: str, rules: list[Rule], edition: str | None) -> NoReturn:
    if any(name in (rule_id, _group(rule_id)) for rule_id in rulebook.all_ids()):
        fail(f"{name} isn't a rule of {edition}", f"`whistlestop rules --id {name}` shows it and its editions")
    groups = list(dict.fromkeys(_group(rule.id) for rule in rules))
    fail(
        f"there is no rule `{name}`",
        did_you_mean(name, (*groups, *rulebook.all_ids())) or f"ids start with {', '.join(groups)}",
    )


def _group(rule_id: str) -> str:
    """`DRAW` of `DRAW-7`."""
    return rule_id.rpartition("-")[0]


def _chapter(title: str, intro: str, rules: list[Rule], ours: str, *, name_editions: bool, width: int) -> str:
    fancy = styled(sys.stdout)
    line = "─" if fancy else "="
    head = f"\033[1;33m{title}\033[0m\n\033[33m{line * len(title)}\033[0m" if fancy else f"{title}\n{line * len(title)}"
    parts = [head]
    if intro:
        parts.append(textwrap.fill(intro, width))
    parts += [_rule(rule, ours, name_editions, width, fancy) for rule in rules]
    return "\n\n".join(parts)


def _rule(rule: Rule, ours: str, name_editions: bool, width: int, fancy: bool) -> str:
    bold, dim, green, off = ("\033[1m", "\033[2m", "\033[32m", "\033[0m") if fancy else ("",) * 4
    head = f"{bold}{rule.id}{off}  {bold}{rule.title}{off}"
    if rule.ours:
        head += f"  {green}[{ours}]{off}"
    if name_editions and set(rule.editions) != set(rulebook.known_editions()):
        head += f"  {dim}({', '.join(rule.editions)}){off}"
    text = rule.text.replace("`", "").split("\n")
    lines = [textwrap.fill(line, width, initial_indent="  ", subsequent_indent="  ") for line in text]
    return "\n".join([head, *lines])
