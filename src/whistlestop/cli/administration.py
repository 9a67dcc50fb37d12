"""The commands of `whistlestop admin`: options and help texts."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from whistlestop.cli.quick import HELP_NAMES, JsonOption, QuickCommand, QuickGroup

administration = typer.Typer(
    name="admin",
    cls=QuickGroup,
    rich_markup_mode=None,
    context_settings=HELP_NAMES,
    no_args_is_help=True,
    help="""Look after a server that runs: tables, bans, numbers.

    The server must have been started with --admin-socket PATH, or with --admin-token-file FILE for orders over HTTP.

    \b
    Examples:
      whistlestop admin --socket /run/whistlestop/admin.sock stats
      whistlestop admin --socket /run/whistlestop/admin.sock tables --status playing
      whistlestop admin --server https://play.example.org --token-file token.txt ban 203.0.113.7
    """,
)
order = partial(administration.command, cls=QuickCommand, context_settings=HELP_NAMES)
TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help="A table's id, as its link has it.")]
NetworkArgument = Annotated[
    str, typer.Argument(metavar="ADDRESS", help="An address or a network: 203.0.113.7, 203.0.113.0/24, 2001:db8::/48.")
]


@administration.callback()
def choose_server(
    ctx: typer.Context,
    socket: Annotated[
        str | None, typer.Option("--socket", metavar="PATH", help="The server's Unix socket (`--admin-socket`).")
    ] = None,
    server: Annotated[str | None, typer.Option("--server", metavar="URL", help="Or its address.")] = None,
    token_file: Annotated[
        str | None, typer.Option("--token-file", metavar="FILE", help="With the host's token (`--admin-token-file`).")
    ] = None,
) -> None:
    """Remember which server gets the order."""
    from whistlestop.cli.admin_command import Server

    ctx.obj = Server(socket, server, token_file)


@order(name="tables")
def admin_tables(
    ctx: typer.Context,
    status: Annotated[
        str | None, typer.Option("--status", metavar="STATUS", help="Only those: waiting, playing, over or closed.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many, the newest first.")] = 50,
    json: JsonOption = False,
) -> None:
    """List tables.

    \b
    Example:
      whistlestop admin --socket admin.sock tables --status playing --limit 20
    """
    from whistlestop.cli.admin_command import print_tables

    print_tables(ctx.obj, status, limit, json)


@order(name="table")
def admin_table(ctx: typer.Context, table: TableArgument, json: JsonOption = False) -> None:
    """Show one table.

    \b
    Example:
      whistlestop admin --socket admin.sock table 7hVq2mNxK4
    """
    from whistlestop.cli.admin_command import print_table

    print_table(ctx.obj, table, json)


@order(name="close")
def admin_close(ctx: typer.Context, table: TableArgument, json: JsonOption = False) -> None:
    """End a table.

    Nobody can act there any more, and who looks at it is told so. Its rows are kept.

    \b
    Example:
      whistlestop admin --socket admin.sock close 7hVq2mNxK4
    """
    from whistlestop.cli.admin_command import close_table

    close_table(ctx.obj, table, json)


@order(name="delete")
def admin_delete(
    ctx: typer.Context,
    table: TableArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: JsonOption = False,
) -> None:
    """Delete a table with its actions, keys and chat.

    \b
    Example:
      whistlestop admin --socket admin.sock delete 7hVq2mNxK4 --yes
    """
    from whistlestop.cli.admin_command import delete_table

    delete_table(ctx.obj, table, yes, json)


@order(name="new-link")
def admin_new_link(ctx: typer.Context, table: TableArgument, json: JsonOption = False) -> None:
    """Give the spectators of a table another link.

    Who came by the old one is disconnected.

    \b
    Example:
      whistlestop admin --socket admin.sock new-link 7hVq2mNxK4
    """
    from whistlestop.cli.admin_command import change_link

    change_link(ctx.obj, table, json)


@order(name="bans")
def admin_bans(ctx: typer.Context, json: JsonOption = False) -> None:
    """List who is banned.

    \b
    Example:
      whistlestop admin --socket admin.sock bans
    """
    from whistlestop.cli.admin_command import print_bans

    print_bans(ctx.obj, json)


@order(name="ban")
def admin_ban(
    ctx: typer.Context,
    network: NetworkArgument,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Why, for yourself.")] = "",
    json: JsonOption = False,
) -> None:
    """Ban an address or a network.

    It gets no page, no answer and no socket, until `unban`.

    \b
    Example:
      whistlestop admin --socket admin.sock ban 203.0.113.0/24 --note "floods the chat"
    """
    from whistlestop.cli.admin_command import ban

    ban(ctx.obj, network, note, json)


@order(name="unban")
def admin_unban(ctx: typer.Context, network: NetworkArgument, json: JsonOption = False) -> None:
    """Let an address or a network come back.

    \b
    Example:
      whistlestop admin --socket admin.sock unban 203.0.113.0/24
    """
    from whistlestop.cli.admin_command import unban

    unban(ctx.obj, network, json)


@order(name="stats")
def admin_stats(ctx: typer.Context, json: JsonOption = False) -> None:
    """Count tables, games, actions, bans and failures.

    \b
    Example:
      whistlestop admin --socket admin.sock stats --json
    """
    from whistlestop.cli.admin_command import print_statistics

    print_statistics(ctx.obj, json)
