"""Draw the pictures in docs/boards: the three boards, a dark one, one for paper, and a game in the middle.

    uv run --with pillow python scripts/render_boards.py

The PNG files get a palette of 256 colours, which keeps them small.
"""

from __future__ import annotations

import io
import random
from pathlib import Path

from PIL import Image

from whistlestop.draw import draw_board, to_png
from whistlestop.mapfile import Board, City, Country, load_board

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs/boards"
WIDTH = 1600


def board(name: str) -> Board:
    """Load one of our boards."""
    return load_board(ROOT / f"src/whistlestop/maps/{name}.toml")


def save(name: str, svg: str, width: int = WIDTH) -> None:
    """Write a picture as SVG and as a small PNG."""
    (TARGET / f"{name}.svg").write_text(svg, encoding="utf-8")
    picture = (
        Image.open(io.BytesIO(to_png(svg, width))).convert("RGB").quantize(256, kmeans=4, dither=Image.Dither.NONE)
    )
    picture.save(TARGET / f"{name}.png", optimize=True)
    print(name, len(svg.encode()), (TARGET / f"{name}.png").stat().st_size)


def invented_owners(source: Board, players: int, seed: int) -> dict[int, int]:
    """Claim tracks for players who each grow a network from a city, so that the picture looks like a game."""
    dice = random.Random(seed)
    owners: dict[int, int] = {}
    networks = [{city} for city in dice.sample(range(len(source.cities)), players)]
    for _ in range(9):
        for player, network in enumerate(networks):
            taken = {
                frozenset((source.tracks[k].a, source.tracks[k].b)) for k, owner in owners.items() if owner == player
            }
            options = [
                k
                for k, track in enumerate(source.tracks)
                if k not in owners
                and len({track.a, track.b} & network) == 1
                and frozenset((track.a, track.b)) not in taken
            ]
            if options:
                track = dice.choice(options)
                owners[track] = player
                network |= {source.tracks[track].a, source.tracks[track].b}
    return owners


def longest_chain(source: Board, owners: dict[int, int], player: int) -> list[int]:
    """Find the longest path of a player by trying all."""
    mine = [k for k, owner in owners.items() if owner == player]

    def extend(city: int, used: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        best = (sum(source.tracks[k].length for k in used), used)
        for k in mine:
            ends = (source.tracks[k].a, source.tracks[k].b)
            if k not in used and city in ends:
                best = max(best, extend(ends[ends[0] == city], (*used, k)))
        return best

    return list(max(extend(city, ()) for city in range(len(source.cities)))[1])


def main() -> None:
    """Draw all pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    usa, europe, germany = board("usa"), board("europe"), board("germany")
    save("usa", draw_board(usa))
    save("europe", draw_board(europe))
    save("germany", draw_board(germany), 1300)
    save("europe-dark", draw_board(europe, theme="dark"))
    save("usa-print", draw_board(usa, theme="print"))
    owners = invented_owners(usa, 4, seed=3)
    last = list(owners)[-1]
    path = longest_chain(usa, owners, 1)
    names = ["Ada", "Bela", "Chidi", "Dora"]
    save(
        "usa-game",
        draw_board(usa, owners=owners, highlight=[last], path=path, caption="Four players, turn 37", names=names),
    )
    owners = invented_owners(europe, 5, seed=5)
    stations = {"Frankfurt": 0, "Madrid": 2, "Sofia": 3}
    save(
        "europe-game",
        draw_board(
            europe, owners=owners, stations=stations, cities=["Edinburgh", "Athina"], caption="Five players, turn 46"
        ),
    )
    dice, owners = random.Random(1), invented_owners(germany, 3, seed=8)
    colours = [colour for colour, count in germany.passenger_colours.items() for _ in range(count)]
    dice.shuffle(colours)
    spots: list[City | Country] = [*germany.cities, *germany.countries]
    crowd = {place.name: [colours.pop() for _ in range(place.passengers)] for place in spots}
    for name, theme in (("germany-game", "light"), ("germany-game-dark", "dark")):
        save(
            name,
            draw_board(germany, owners=owners, passengers=crowd, caption="Three players, turn 28", theme=theme),
            1300,
        )


if __name__ == "__main__":
    main()
