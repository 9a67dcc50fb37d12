"""Ten thousand games of every edition between random players: who wins, and what the points come from."""

import argparse

from whistlestop import Statistics, editions, simulate


def main() -> None:
    """Print a line for each edition."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=3)
    args = parser.parse_args()
    print(f"{'edition':<14}{'points':>8}{'routes':>8}{'tickets':>9}{'steps':>7}  wins by seat")
    for edition in editions():
        found = Statistics.of(simulate(edition, args.players, args.games, seed=1))
        points, sources = found.overall.points.mean, found.overall.sources
        means = f"{points:>8.1f}{sources['routes']:>8.1f}{sources['tickets']:>9.1f}{found.actions.mean:>7.0f}"
        print(f"{edition.id:<14}{means}  {'  '.join(f'{seat.win_rate:.1%}' for seat in found.seats)}")


if __name__ == "__main__":
    main()
