"""Commands that start quickly, and what all of them share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import UnionType
from typing import Annotated, Any, cast, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from whistlestop.cli.terminal import CommandError

HELP_NAMES = {"help_option_names": ["-h", "--help"]}
JsonOption = Annotated[bool, typer.Option("--json", help="Print data instead of text for people.")]


class QuickCommand(TyperCommand):
    """A command that converts its own numbers: Typer would import pydantic, which takes longer than most commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Give each option that takes a value a plain conversion."""
        return _quick(super().get_params(ctx), self.callback)


class QuickGroup(TyperGroup):
    """The same for the options before the command."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Give each option that takes a value a plain conversion."""
        return _quick(super().get_params(ctx), self.callback)


def _quick(params: list[Any], callback: Callable[..., Any] | None) -> list[Any]:
    """Parameters with conversions of our own."""
    hints = get_type_hints(callback) if callback else {}
    for param in params:
        kind = hints.get(param.name, bool)
        param.process_value = partial(_converted, param, _plain(kind)) if kind is not bool else partial(_flag, param)
        if param.param_type_name == "argument":
            param.display_type_rich = lambda ctx: ""  # noqa: ARG005  (else the help says `EDITION <str>`)
    return params


def _flag(param: Any, ctx: Any, value: Any) -> bool | None:
    """A flag's value needs no conversion; a callback (help, version) still has its say."""
    if param.callback and value:
        param.callback(ctx, param, value)
    return bool(value)


def _plain(kind: Any) -> Callable[[Any], object]:
    """The type to read: `int` of `int | None`."""
    choices = [part for part in get_args(kind) if part is not type(None)] if get_origin(kind) is UnionType else []
    return cast(Callable[[Any], object], choices[0] if choices else kind)


def _converted(param: Any, kind: Callable[[Any], object], ctx: Any, value: Any) -> object:
    if value is None:
        if param.required and not ctx.resilient_parsing:
            raise CommandError(
                f"{param.metavar or param.name} is missing", f"`{ctx.command_path} --help` shows examples"
            )
        return None
    try:
        return kind(value)
    except ValueError:
        noun = "a whole number" if kind is int else "a number"
        name = max(param.opts, key=len) if param.param_type_name == "option" else param.metavar
        raise CommandError(
            f"{name} takes {noun}, not `{value}`", f"`{ctx.command_path} --help` shows examples"
        ) from None
