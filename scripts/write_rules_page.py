"""Write docs/rules.md from the rules that the product itself shows: `uv run python scripts/write_rules_page.py`."""

from __future__ import annotations

from pathlib import Path

from whistlestop.rulebook import chapters, known_editions, rules

PAGE = Path(__file__).parent.parent / "docs" / "rules.md"


def page() -> str:
    """The whole page as Markdown."""
    lines = [
        "# The rules",
        "",
        "In our own words, an id each; `whistlestop rules EDITION` shows those of one edition. "
        "Tests name the ids they prove.",
        "This page is written by `scripts/write_rules_page.py` from `src/whistlestop/rules.toml`.",
    ]
    for chapter, intro in chapters().items():
        lines += ["", f"## {chapter}", "", intro.strip()]
        for rule in rules():
            if rule.chapter == chapter:
                where = "" if set(rule.editions) == set(known_editions()) else f" · {', '.join(rule.editions)}"
                ours = " · *our ruling*" if rule.ours else ""
                lines += ["", f"**{rule.id} — {rule.title}**{where}{ours}  ", rule.text.strip()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
