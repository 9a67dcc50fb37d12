"""Commands, options and help texts. Nothing heavy is imported here: a command imports what it needs when it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, cast

import typer

from whistlestop.cli.administration import administration
from whistlestop.cli.quick import HELP_NAMES, JsonOption, QuickCommand, QuickGroup
from whistlestop.cli.terminal import CommandError, print_error
from whistlestop.draw import THEME_NAMES
from whistlestop.spelling import did_you_mean

USAGE_ERROR = cast(type[Exception], typer.BadParameter.__base__)
"""Typer's error for wrong options; it exports only this child of it."""


app = typer.Typer(
    name="whistlestop",
    cls=QuickGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=HELP_NAMES,
    help="""Railway board games: play them, host them, study them, build your own.

    \b
    Examples:
      whistlestop                                        play in the browser
      whistlestop serve --host 0.0.0.0                   host tables for others
      whistlestop admin --socket admin.sock tables       look after a server that runs
      whistlestop editions                               what can be played
      whistlestop simulate europe --players 3            a thousand games, and who wins
      whistlestop arena --bots random,casual             which bot is stronger, and by how much
      whistlestop dataset --bots planner --out games     games of bots for learners
      whistlestop show usa --out usa.png                 a picture of the board
      whistlestop score saturday.toml                    count a game of a real table
      whistlestop rules germany                          the rules, in plain words
      whistlestop check-map my-island.toml               test a board of your own
      whistlestop playtest my-island.toml                let bots play it, and see how good it is
    """,
    epilog="Every command has its own --help, with examples.",
)
app.add_typer(administration)
command = partial(app.command, cls=QuickCommand, context_settings=HELP_NAMES)


def complete_edition(incomplete: str) -> list[str]:
    """Edition names for the shell."""
    from whistlestop.mapfile import editions

    return [edition.id for edition in editions() if edition.id.startswith(incomplete)]


def complete_theme(incomplete: str) -> list[str]:
    """Theme names for the shell."""
    return [name for name in THEME_NAMES if name.startswith(incomplete)]


EditionArgument = Annotated[
    str,
    typer.Argument(
        metavar="EDITION", help="An edition's name, or the path of a map file.", autocompletion=complete_edition
    ),
]
PackOption = Annotated[
    list[str] | None, typer.Option("--pack", metavar="FILE", help="Add a ticket pack; may be repeated.")
]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", help="How many cores to use; all unless told.")
]
AnchorOption = Annotated[
    str | None, typer.Option("--anchor", metavar="BOT", help="The bot whose rating is 0; `random` unless told.")
]
ReportOption = Annotated[
    str | None, typer.Option("--report", metavar="FILE", help="Write a page with plots, one HTML file.")
]
CsvOption = Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write every game and player as CSV.")]
ParquetOption = Annotated[
    str | None, typer.Option("--parquet", metavar="FILE", help="The same as Parquet (needs the `parquet` extra).")
]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")]
JsonLogsOption = Annotated[bool, typer.Option("--json-logs", help="Log JSON lines, also to a terminal.")]
HostBotOption = Annotated[
    list[str] | None,
    typer.Option("--bot", metavar="BOT", help="Offer a bot of yours, e.g. my_bot.py:MyBot; may be repeated."),
]


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        from importlib.metadata import version

        print(f"whistlestop {version('whistlestop')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def welcome(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001  (its callback answers)
        bool, typer.Option("--version", help="Show the version and stop.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Play: start the server for this machine and open the browser when no command is given."""
    if ctx.invoked_subcommand is None:
        from whistlestop.cli.serve import serve as run_server

        run_server(
            "127.0.0.1",
            None,
            None,
            None,
            open_browser=True,
            origins=[],
            bots=[],
            trusted_proxies=[],
            bot_processes=2,
            root_path="",
            json_logs=False,
            unlimited=False,
            quiet=True,
        )


@command()
def serve(
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; 0.0.0.0 is open to your network.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", help="The port; 8765 or the next free one unless given.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option("--database", metavar="URL", help="Another database, e.g. postgresql://user@host/name."),
    ] = None,
    data_dir: Annotated[str | None, typer.Option("--data-dir", metavar="FOLDER", help="Where games are kept.")] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the browser.")] = False,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", metavar="URL", help="Another site whose pages may use this server; may be repeated."),
    ] = None,
    bot: HostBotOption = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="Take clients' addresses from a proxy on this machine.")
    ] = False,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy", metavar="ADDRESS", help="The same from a proxy elsewhere, by address or network."
        ),
    ] = None,
    root_path: Annotated[
        str, typer.Option("--root-path", metavar="PATH", help="Where the site is behind a proxy, e.g. /games.")
    ] = "",
    metrics: Annotated[
        str | None,
        typer.Option("--metrics", metavar="HOST:PORT", help="Serve /metrics there, and not where the players are."),
    ] = None,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="TIME", help="Delete tables after so long, e.g. 90d; else never.")
    ] = None,
    keep_chat: Annotated[
        str | None,
        typer.Option("--keep-chat", metavar="TIME", help="Delete chat, and names of finished games, after so long."),
    ] = None,
    listing: Annotated[
        bool,
        typer.Option("--listing/--no-listing", help="Let people open tables that anybody here may find."),
    ] = True,
    boards: Annotated[
        bool, typer.Option("--boards/--no-boards", help="Let people play on their own map files.")
    ] = True,
    admin_socket: Annotated[
        str | None,
        typer.Option("--admin-socket", metavar="PATH", help="Take orders of `whistlestop admin` at this Unix socket."),
    ] = None,
    admin_token_file: Annotated[
        str | None,
        typer.Option("--admin-token-file", metavar="FILE", help="Take them over HTTP too, with the token in the file."),
    ] = None,
    bot_processes: Annotated[
        int,
        typer.Option(
            "--bot-processes", metavar="N", min=0, help="Processes in which bots think; 0 leaves it to workers."
        ),
    ] = 2,
    json_logs: JsonLogsOption = False,
    unlimited: Annotated[
        bool, typer.Option("--unlimited", help="No limits per client, no waiting stand-ins: for tests.")
    ] = False,
) -> None:
    """Host tables for yourself and others.

    \b
    Examples:
      whistlestop serve --host 0.0.0.0
      whistlestop serve --port 80 --data-dir /var/lib/whistlestop
      whistlestop serve --bot my_bot.py:MyBot --bot casual:2s
      whistlestop serve --database postgresql://whistlestop@localhost/whistlestop --behind-proxy
    """
    from whistlestop.cli.serve import serve as run_server

    run_server(
        host,
        port,
        database,
        data_dir,
        open_browser=open_browser,
        origins=origin or [],
        bots=bot or [],
        root_path=root_path,
        metrics=metrics,
        keep=keep,
        keep_chat=keep_chat,
        listing=listing,
        boards=boards,
        admin_socket=admin_socket,
        admin_token_file=admin_token_file,
        trusted_proxies=[*(["127.0.0.1", "::1"] if behind_proxy else []), *(trusted_proxy or [])],
        bot_processes=bot_processes,
        json_logs=json_logs,
        unlimited=unlimited,
        quiet=False,
    )


@command()
def worker(
    database: Annotated[
        str,
        typer.Option("--database", metavar="URL", help="The servers' PostgreSQL, e.g. postgresql://user@host/name."),
    ],
    processes: Annotated[
        int, typer.Option("--processes", metavar="N", min=1, help="Processes in which bots think.")
    ] = 2,
    bot: HostBotOption = None,
    json_logs: JsonLogsOption = False,
) -> None:
    """Think for the bots of servers that share a PostgreSQL.

    Such servers run with `--bot-processes 0`. Bots of your own must be given to the workers too.

    \b
    Examples:
      whistlestop worker --database postgresql://whistlestop@localhost/whistlestop
      whistlestop worker --database postgresql://whistlestop@db/whistlestop --processes 8 --bot my_bot.py:MyBot
    """
    from whistlestop.cli.serve import work

    work(database, processes, bot or [], json_logs)


@command()
def editions(json: JsonOption = False) -> None:
    """List what can be played.

    \b
    Examples:
      whistlestop editions
      whistlestop editions --json
    """
    from whistlestop.cli.boards import print_editions

    print_editions(json)


@command()
def rules(
    edition: Annotated[
        str | None,
        typer.Argument(
            metavar="EDITION",
            help="Only the rules of this edition or map file.",
            show_default=False,
            autocompletion=complete_edition,
        ),
    ] = None,
    id: Annotated[  # noqa: A002  (the option is called so)
        str | None, typer.Option("--id", metavar="ID", help="Only this rule, e.g. DRAW-7; or a group, e.g. DRAW.")
    ] = None,
    language: Annotated[
        str, typer.Option("--language", metavar="LANGUAGE", help="The language to read them in: en or de.")
    ] = "en",
    json: JsonOption = False,
) -> None:
    """Read the rules in plain words, each with its id.

    \b
    Examples:
      whistlestop rules europe
      whistlestop rules --id DRAW-7
      whistlestop rules germany --id PASSENGER
      whistlestop rules usa --language de
    """
    from whistlestop.cli.rulebook_text import print_rules

    print_rules(edition, id, language, json)


@command()
def simulate(
    edition: EditionArgument,
    players: Annotated[
        int | None, typer.Option("--players", "-p", metavar="N", help="How many play; 2 unless --names says more.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-g", metavar="N", help="How many games; 1000 at random, 100 with bots that think."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The same seed gives the same games.")] = 1,
    names: Annotated[
        str | None,
        typer.Option("--names", metavar="LINEUP", help="Which bot sits where, by commas; one fills all seats."),
    ] = None,
    pack: PackOption = None,
    jobs: JobsOption = None,
    json: JsonOption = False,
) -> None:
    """Play many games and see who wins, and with what.

    The players are bots: by name, from a file of yours, with a time or steps to think. Without names all are random.

    \b
    Examples:
      whistlestop simulate usa
      whistlestop simulate usa --names casual,random
      whistlestop simulate usa --names my_bot.py:MyBot,casual:500ms
      whistlestop simulate europe --players 3 --games 20000 --seed 7
      whistlestop simulate my-island.toml --names random,random --json
    """
    from whistlestop.cli.simulate import print_simulation

    print_simulation(edition, players, games, seed, names, pack or [], jobs, json)


@command()
def dataset(
    out: Annotated[str, typer.Option("--out", "-o", metavar="FOLDER", help="Where the files go.")],
    bots: Annotated[
        str,
        typer.Option("--bots", "-b", metavar="LINEUP", help="Which bot sits where, by commas; one fills all seats."),
    ] = "random",
    games: Annotated[int, typer.Option("--games", "-g", metavar="N", help="How many games.")] = 1000,
    edition: Annotated[
        str,
        typer.Option(
            "--edition",
            "-e",
            metavar="EDITION",
            help="An edition's name, or the path of a map file.",
            autocompletion=complete_edition,
        ),
    ] = "usa",
    players: Annotated[
        int | None, typer.Option("--players", "-p", metavar="N", help="How many play; 2 unless --bots says more.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The same seed gives the same games.")] = 1,
    full: Annotated[
        bool, typer.Option("--full", help="Masks and actions of the full set, every payment by itself.")
    ] = False,
    pack: PackOption = None,
    jobs: JobsOption = None,
) -> None:
    """Write games of bots as Parquet, a row for each decision.

    A row has what the player saw, what was legal, what was chosen, and how the game ended. Stop it whenever you like:
    the same command goes on.

    \b
    Examples:
      whistlestop dataset --out games
      whistlestop dataset --bots planner,random --games 5000 --out games
      whistlestop dataset --edition europe --players 4 --games 20000 --out europe-games
    """
    from whistlestop.cli.dataset_command import make_dataset

    make_dataset(edition, bots, players, games, seed, out, full, pack or [], jobs)


@command()
def arena(
    bots: Annotated[
        str | None, typer.Option("--bots", "-b", metavar="LIST", help="A round robin of these bots, by commas.")
    ] = None,
    lineup: Annotated[
        str | None, typer.Option("--lineup", "-l", metavar="LINEUP", help="One line-up, in every seating.")
    ] = None,
    editions: Annotated[
        str, typer.Option("--editions", "-e", metavar="LIST", help="Editions or map files, by commas.")
    ] = "usa",
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="LIST", help="Numbers of players of a round robin; 2.")
    ] = None,
    seeds: Annotated[
        int, typer.Option("--seeds", "-n", metavar="N", help="How many seeds; all line-ups play each of them.")
    ] = 100,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The first of the seeds.")] = 1,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="Keep games in this SQLite file; go on with it.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt", metavar="ELO0,ELO1", help="Stop when it is clear which difference of the first bot fits."
        ),
    ] = None,
    jobs: JobsOption = None,
    ray: Annotated[
        str | None, typer.Option("--ray", metavar="ADDRESS", help="Play on a Ray cluster; `local` starts one here.")
    ] = None,
    pack: PackOption = None,
    anchor: AnchorOption = None,
    report: ReportOption = None,
    csv: CsvOption = None,
    parquet: ParquetOption = None,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> None:
    """Let bots play each other and rate them.

    All line-ups play the same seeds in every seating, on all cores. Ratings are Elo with 95% intervals, `random` is 0.
    With --out the games are kept: stop with Ctrl+C and give the same command to go on, or another one to add to them.

    \b
    Examples:
      whistlestop arena --bots random,casual
      whistlestop arena --bots random,casual,my_bot.py:MyBot --editions usa,europe --players 2,4 --out arena.sqlite
      whistlestop arena --lineup casual,random,random --seeds 50 --report arena.html
      whistlestop arena --bots my_bot.py:MyBot,casual --sprt 0,20 --seeds 5000
    """
    from whistlestop.cli.arena_command import Ask, play_arena
    from whistlestop.cli.standings_text import Wanted

    ask = Ask(bots, lineup, editions, players, seeds, seed, out, jobs, ray, sprt, tuple(pack or ()))
    play_arena(ask, Wanted(anchor, report, csv, parquet, markdown, json))


@command()
def ratings(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Games that `whistlestop arena --out FILE` kept.")],
    editions: Annotated[
        str | None, typer.Option("--editions", "-e", metavar="LIST", help="Only these editions, by commas.")
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="LIST", help="Only these numbers of players, by commas.")
    ] = None,
    anchor: AnchorOption = None,
    report: ReportOption = None,
    csv: CsvOption = None,
    parquet: ParquetOption = None,
    markdown: MarkdownOption = False,
    json: JsonOption = False,
) -> None:
    """Look at the arena's games: ratings, reports, exports.

    \b
    Examples:
      whistlestop ratings arena.sqlite
      whistlestop ratings arena.sqlite --editions usa --players 2 --report usa.html
      whistlestop ratings arena.sqlite --csv games.csv
      whistlestop ratings arena.sqlite --markdown
    """
    from whistlestop.cli.standings_text import Wanted, print_ratings

    print_ratings(file, editions, players, Wanted(anchor, report, csv, parquet, markdown, json))


@command()
def show(
    what: Annotated[
        str,
        typer.Argument(
            metavar="RECORD|EDITION", help="A record file, an edition or a map file.", autocompletion=complete_edition
        ),
    ],
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="Where to: a name ending in .svg or .png.")
    ] = None,
    theme: Annotated[
        str,
        typer.Option(
            "--theme", metavar="THEME", help=f"One of {', '.join(THEME_NAMES)}.", autocompletion=complete_theme
        ),
    ] = THEME_NAMES[0],
    width: Annotated[int, typer.Option("--width", metavar="PIXELS", help="Width of a PNG.")] = 1600,
    turn: Annotated[
        int | None,
        typer.Option("--turn", metavar="N", help="The position after turn N of a record; the end otherwise."),
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the picture when it's done.")] = False,
    pdf: Annotated[
        str | None, typer.Option("--print", metavar="FILE", help="Write board, tickets and cards for printing, as PDF.")
    ] = None,
    paper: Annotated[str, typer.Option("--paper", metavar="SIZE", help="The printer's: a4, a3 or letter.")] = "a4",
    car: Annotated[
        float, typer.Option("--car", metavar="MM", help="Length of a printed space: that of your trains.")
    ] = 24.0,
    sheets: Annotated[
        str, typer.Option("--sheets", metavar="LIST", help="What to print, by commas.")
    ] = "board,tickets,cards",
) -> None:
    """Draw a board or a game, or print a board.

    Pictures are SVG or PNG. Without --out they go to a file named after the board; in a pipe, to stdout. --print makes
    sheets to cut out and join: the board so large that plastic trains fit, tickets and cards (needs the `print` extra).

    \b
    Examples:
      whistlestop show europe
      whistlestop show germany --out germany.png --width 2400 --theme dark
      whistlestop show game.txt --turn 40 --out turn-40.svg
      whistlestop show my-island.toml --print my-island.pdf --paper a3
      whistlestop show usa --print usa.pdf --car 20 --sheets board --theme print
    """
    from whistlestop.cli.show import draw, print_sheets

    if pdf is not None:
        print_sheets(what, pdf, theme, paper, car, sheets, open_it)
    else:
        draw(what, out, theme, width, turn, open_it)


@command()
def score(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of who has what at a real table.")],
    as_json: JsonOption = False,
    force: Annotated[
        bool, typer.Option("--force", help="Count what no game comes to as well, and mark it as odd.")
    ] = False,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="Draw the board too, as .svg or .png.")
    ] = None,
    theme: Annotated[
        str,
        typer.Option(
            "--theme", metavar="THEME", help=f"One of {', '.join(THEME_NAMES)}.", autocompletion=complete_theme
        ),
    ] = THEME_NAMES[0],
    width: Annotated[int, typer.Option("--width", metavar="PIXELS", help="Width of a PNG.")] = 1600,
) -> None:
    """Count a game of a real table, from a file of who has what.

    \b
    Examples:
      whistlestop score examples/tables/europe.toml
      whistlestop score saturday.toml --json
      whistlestop score saturday.toml --out saturday.png
    """
    from whistlestop.cli.score import print_score

    print_score(file, as_json, force, out, theme, width)


@command()
def replay(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A record file.")],
    start: Annotated[
        int, typer.Option("--from", metavar="N", help="Begin at turn N; 0 is the first choice of tickets.")
    ] = 0,
    delay: Annotated[
        float | None,
        typer.Option("--delay", metavar="SECONDS", help="Go on by itself after so long, instead of at a key."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option("--player", metavar="NAME", help="See it with the eyes of one player: name or seat number."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print everything at once.")] = False,
    board: Annotated[str | None, typer.Option("--map", metavar="FILE", help="The map file it was played on.")] = None,
) -> None:
    """Watch a recorded game turn by turn in the terminal.

    A key shows the next turn; q stops, a shows the rest. In a pipe everything is printed.

    \b
    Examples:
      whistlestop replay game.txt
      whistlestop replay game.txt --from 30 --delay 0.5
      whistlestop replay game.txt --player 2 --all
    """
    from whistlestop.cli.replay import print_replay

    print_replay(record, start, delay, player, everything, board)


@command("check-map")
def check_map(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A map file (TOML).")],
    games: Annotated[
        int, typer.Option("--games", "-g", metavar="N", help="Random games to play on each edition.")
    ] = 200,
    json: JsonOption = False,
) -> None:
    """Check a board of your own: read it, measure it, play it.

    Prints what is wrong and where, or facts and remarks about the board and how random games on it went.

    \b
    Examples:
      whistlestop check-map my-island.toml
      whistlestop check-map my-island.toml --games 5000
      whistlestop check-map my-island.toml --json
    """
    from whistlestop.cli.boards import print_check

    print_check(file, games, json)


@command("import-map")
def import_map(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A map that the map editor exported (JSON).")],
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write the map file; it ends in .toml.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Turn a map of the public map editor into a map file.

    It reads what bjornhagstrom's map editor (hagstrom.nu/ttr) exports as JSON, and says in words what could not be
    carried over or had to be made up. Without --out the map file is named after the JSON; in a pipe it goes to stdout.

    \b
    Examples:
      whistlestop import-map island.json
      whistlestop import-map island.json --out my-island.toml
    """
    from whistlestop.cli.board_import import write_imported

    write_imported(file, out, force)


@command()
def playtest(
    boards: Annotated[
        list[str],
        typer.Argument(
            metavar="MAP [MAP2]",
            help="An edition or a map file; two stand side by side.",
            autocompletion=complete_edition,
        ),
    ],
    games: Annotated[
        int, typer.Option("--games", "-g", metavar="N", help="How many games with each number of players.")
    ] = 1000,
    players: Annotated[
        str | None,
        typer.Option("--players", "-p", metavar="LIST", help="Numbers of players, by commas; all unless told."),
    ] = None,
    bots: Annotated[
        str, typer.Option("--bots", "-b", metavar="LIST", help="Levels or bots that play, by commas; they take turns.")
    ] = "club",
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The same seed gives the same games.")] = 1,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write the page; it ends in .html.")
    ] = None,
    jobs: JobsOption = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page when it's done.")] = False,
    json: JsonOption = False,
) -> None:
    """Let bots play a board, and see how good it is.

    Writes one page: who wins by turn order, where points come from, heat maps of the tracks, what every ticket is worth
    with suggested points, dead tracks, choke points, cities nobody needs, and colours against the deck.

    \b
    Examples:
      whistlestop playtest my-island.toml --open
      whistlestop playtest usa --games 5000 --players 2,4
      whistlestop playtest before.toml after.toml --out changes.html
      whistlestop playtest my-island.toml --bots casual,club --json
    """
    from whistlestop.cli.playtest_command import AskPlaytest, play_boards

    play_boards(AskPlaytest(tuple(boards), games, players, bots, seed, out, jobs, open_it, json))


@command()
def bench(
    editions: Annotated[
        str | None, typer.Option("--editions", metavar="LIST", help="Which, by commas; all unless told.")
    ] = None,
    players: Annotated[
        str, typer.Option("--players", "-p", metavar="LIST", help="Numbers of players, by commas.")
    ] = "2",
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", help="How long to measure each.")] = 2.0,
    json: JsonOption = False,
) -> None:
    """Measure the engine's speed on this machine.

    Whole random games with final scoring, on one core.

    \b
    Examples:
      whistlestop bench
      whistlestop bench --editions usa,europe --players 2,5 --seconds 5
      whistlestop bench --json
    """
    from whistlestop.cli.bench import print_bench

    print_bench(editions, players, seconds, json)


@command()
def warmup() -> None:
    """Compile the engine now, so that no other command has to.

    It takes some seconds, once on each machine and for each version. Other commands do it by themselves when needed.

    \b
    Example:
      whistlestop warmup
    """
    from whistlestop.cli.terminal import compile_engine, say
    from whistlestop.engine.jit import is_warm

    if is_warm():
        say("The engine is already compiled")
        return
    compile_engine()
    say("The engine is compiled")


@command(name="help")
def show_help() -> None:
    """Show what can be done from the command line and from Python.

    \b
    Example:
      whistlestop help
    """
    from whistlestop.cli.welcome import print_welcome

    print_welcome()


COMMANDS = [
    *(str(info.name or getattr(info.callback, "__name__", "")) for info in app.registered_commands),
    str(administration.info.name),
]


def run(args: Sequence[str]) -> int:
    """Run one command line and return its exit code; what a person can mend is printed, not raised."""
    try:
        code = app(list(args), prog_name="whistlestop", standalone_mode=False)
    except CommandError as error:
        print_error(error)
        return error.code
    except USAGE_ERROR as error:
        print_error(_usage_error(error))
        return 2
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk, a file that went away
        place = f" `{error.filename}`" if error.filename else ""
        print_error(CommandError(f"can't read or write{place}: {error.strerror or error}"))
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return 130
    return code if isinstance(code, int) else 0


def _usage_error(error: Any) -> CommandError:
    """Typer's usage errors in our style."""
    context = getattr(error, "ctx", None)
    message = str(error.format_message()).split(" Did you mean")[0].split(" (Possible")[0].rstrip(".")
    message = message[:1].lower() + message[1:].replace("'", "`")
    hint = None
    if "no such command" in message:
        known = list(getattr(context.command, "commands", {})) if context else COMMANDS
        hint = did_you_mean(message.split("`")[1], known)
    elif "no such option" in message and context:
        hint = did_you_mean(error.option_name, [name for param in context.command.params for name in param.opts])
    path = context.command_path if context else "whistlestop"
    return CommandError(message, hint or f"`{path} --help` shows options and examples")


def main() -> None:
    """The entry point of `whistlestop`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without ü shows ?, not a traceback
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except OSError as error:  # the reader, e.g. head, has seen enough; or the disk is full
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0 if isinstance(error, BrokenPipeError) else 1
        if code:
            print_error(CommandError(f"can't write: {error.strerror or error}"))
    sys.exit(code)
