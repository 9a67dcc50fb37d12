"""Ten thousand games of every edition between random players: who wins, and what the points come from."""

import argparse

from whistlestop import editions
from whistlestop.engine.doors import simulate


def main() -> None:
    """Print a line for each edition."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=3)
    args = parser.parse_args()
    print(f"{'edition':<14}{'points':>8}{'routes':>8}{'tickets':>9}{'steps':>7}  wins by seat")
    for edition in editions():
        rows = simulate(edition, args.players, args.games, seed=1)
        wins = [rows["won"][rows["player"] == seat].mean() for seat in range(args.players)]
        means = f"{rows['total'].mean():>8.1f}{rows['routes'].mean():>8.1f}{rows['tickets'].mean():>9.1f}{rows['steps'].mean():>7.0f}"
        print(f"{edition.id:<14}{means}  {'  '.join(f'{share:.1%}' for share in wins)}")


if __name__ == "__main__":
    main()
