"""Learn a two-player game by self-play in plain PyTorch, and keep what was learned as a bot.

    pip install torch matplotlib whistlestop
    python examples/learn_by_self_play.py --minutes 60 --out learned.npz     # of processor time: 30 on two cores
    LEARNED_BOT=learned.npz whistlestop arena --bots examples/learned_bot.py:Learned,one-step,random

PPO with one network for both seats: hundreds of games at once on `BatchedEnv`, and every decision of either player
trains. The reward is how far a player gets ahead of the other by points and tickets, and a victory at the end.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from learned_bot import BONUSES, Hints
from whistlestop import load_edition
from whistlestop.envs import BatchedEnv

GAMMA, LAMBDA, CLIP = 1.0, 0.95, 0.2
MINIBATCH, EPOCHS = 2048, 2
VICTORY = 0.5
"""What a victory brings, beside a lead of a hundred points, which is 1."""


class Network(nn.Module):  # type: ignore[misc]  # PyTorch is not installed where types are checked
    """Logits of all actions, and how well the game will go from here."""

    def __init__(self, hints: Hints, width: int) -> None:
        super().__init__()
        self.hints = hints
        self.first = nn.Linear(hints.layout.size + hints.count, width)
        self.second = nn.Linear(width, width)
        self.answer = nn.Linear(width, hints.bonus_places.shape[1] + BONUSES)
        self.value = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.scale = torch.from_numpy(np.concatenate([hints.layout.scale, hints.scale]))
        self.lengths, self.bonus_places = torch.from_numpy(hints.lengths), torch.from_numpy(hints.bonus_places)
        with torch.no_grad():
            self.answer.weight *= 0.1  # begins with all actions about as likely

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        scaled = seen * self.scale
        hidden = torch.relu(self.first(scaled))
        hidden = hidden + torch.relu(self.second(hidden))
        answer = self.answer(hidden)
        hints = scaled[:, self.hints.layout.size :]
        bonus = self.hints.bonus(hints, answer[:, -BONUSES:], self.lengths, lambda parts: torch.cat(parts, 1))
        logits = answer[:, :-BONUSES] + bonus @ self.bonus_places
        return logits.masked_fill(~masks, -1e9), self.value(hidden).squeeze(1)


class Rollout:
    """Some steps of all games: what was seen and chosen, and what it brought."""

    def __init__(self, env: BatchedEnv, hints: Hints, steps: int) -> None:
        shape = (steps, env.games)
        self.env, self.hints, self.steps = env, hints, steps
        self.seen = torch.zeros((*shape, env.layout.size + hints.count), dtype=torch.uint8)
        self.masks = torch.zeros((*shape, env.actions.count), dtype=torch.bool)
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.chances, self.values = torch.zeros(shape), torch.zeros(shape)
        """Logarithms of how likely the actions were, and what the network thought of the moments."""
        self.players = np.zeros(shape, np.int64)
        self.rewards = np.zeros((*shape, 2), np.float32)
        self.ended = np.zeros(shape, bool)

    def play(self, network: Network) -> None:
        env = self.env
        for t in range(self.steps):
            self.seen[t] = torch.from_numpy(self.hints.of(env.observations))
            self.masks[t] = torch.from_numpy(env.masks)
            self.players[t] = env.players
            with torch.no_grad():
                logits, self.values[t] = network(self.seen[t], self.masks[t])
                noise = torch.empty_like(logits).exponential_().log_()
                self.actions[t] = (logits - noise).argmax(1)  # each action as often as its chance
                self.chances[t] = logits.log_softmax(1).gather(1, self.actions[t, :, None]).squeeze(1)
            env.step(self.actions[t].numpy())
            self.ended[t] = env.terminated | env.truncated
            victory = VICTORY * env.won * env.terminated[:, np.newaxis]
            brought = env.rewards + victory.astype(np.float32)
            self.rewards[t] = brought - brought[:, ::-1]  # what is good for one is bad for the other

    def advantages(self, network: Network) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Of each decision: how much better it went than thought, what its value should have been, and whether both can
        be told.

        What comes after a decision is that player's own next one, whatever the other does in between. Where that lies
        beyond the rollout, only the players to move then can say how it goes on.
        """
        env, games = self.env, np.arange(self.env.games)
        with torch.no_grad():
            seen = torch.from_numpy(self.hints.of(env.observations))
            _, last = network(seen, torch.from_numpy(env.masks))
        shape = (env.games, 2)
        next_value, next_gain, earned = (np.zeros(shape, np.float32) for _ in range(3))
        known = np.zeros(shape, bool)
        next_value[games, env.players], known[games, env.players] = last.numpy(), True
        gains, told = np.zeros((self.steps, env.games), np.float32), np.zeros((self.steps, env.games), bool)
        values = self.values.numpy()
        for t in range(self.steps - 1, -1, -1):
            over = self.ended[t]
            next_value[over], next_gain[over], earned[over], known[over] = 0, 0, 0, True
            earned += self.rewards[t]
            me = games, self.players[t]
            surprise = earned[me] + GAMMA * next_value[me] - values[t]
            told[t] = known[me]
            gains[t] = np.where(told[t], surprise + GAMMA * LAMBDA * next_gain[me], 0)
            next_value[me], next_gain[me], earned[me], known[me] = values[t], gains[t], 0, True
        return torch.from_numpy(gains), torch.from_numpy(gains + values), torch.from_numpy(told)


def learn_from(rollout: Rollout, network: Network, adam: torch.optim.Optimizer, curiosity: float) -> dict[str, float]:
    """A few passes of PPO over a rollout; `curiosity` is what entropy is worth."""
    gains, returns, told = (one.flatten() for one in rollout.advantages(network))
    seen, masks, actions = rollout.seen.flatten(0, 1), rollout.masks.flatten(0, 1), rollout.actions.flatten()
    before, told = rollout.chances.flatten(), told.nonzero().squeeze(1)
    gains = (gains - gains[told].mean()) / (gains[told].std() + 1e-8)
    notes = []
    for _ in range(EPOCHS):
        for part in told[torch.randperm(len(told))].split(MINIBATCH):
            logits, values = network(seen[part], masks[part])
            shares = logits.log_softmax(1)
            ratio = (shares.gather(1, actions[part, None]).squeeze(1) - before[part]).exp()
            gain = gains[part]
            policy_loss = -torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            value_loss = (values - returns[part]).square().mean()
            entropy = -(shares.exp() * shares).sum(1).mean()
            adam.zero_grad(set_to_none=True)
            (policy_loss + value_loss - curiosity * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            adam.step()
            notes.append([entropy.item(), value_loss.item()])
    entropy_mean, error = np.mean(notes, 0)
    return {"entropy": float(entropy_mean), "unexplained": float(error) / returns[told].var().item()}


def trial(network: Network, edition: str, opponent: str, games: int) -> float:
    """The share of games that the network wins against a bot, when it does what it likes best."""
    env = BatchedEnv(edition, min(games, 100), opponents=[opponent], seed=10**6)
    wins, played = 0.0, 0
    while played < games:
        with torch.no_grad():
            seen = torch.from_numpy(network.hints.of(env.observations))
            env.step(network(seen, torch.from_numpy(env.masks))[0].argmax(1).numpy())
        over = env.terminated
        played += int(over.sum())
        wins += float((env.won[over, 0] / env.won[over].sum(1)).sum())
    env.close()
    return wins / played


def save(network: Network, edition: str, out: Path) -> None:
    """The weights for learned_bot.py, at half precision."""
    kept = {name: w.half().numpy() for name, w in network.state_dict().items() if not name.startswith("value")}
    np.savez_compressed(out, edition=edition, **kept)


def draw(lines: list[dict[str, Any]], out: Path) -> None:
    """Points in self-play, and the share of games won in trials, over the minutes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    points, wins = figure.subplots(1, 2)
    points.plot([line["minutes"] for line in lines], [line["points"] for line in lines], color="#b5482f")
    points.set(xlabel="minutes of processor time", ylabel="points of a player in self-play")
    trials = [line for line in lines if "won" in line]
    for opponent, colour in zip(trials[-1]["won"] if trials else (), ("#7c8794", "#33658a", "#5a8f4e"), strict=False):
        marks = [line["won"][opponent] for line in trials]
        wins.plot([line["minutes"] for line in trials], marks, "o-", color=colour, label=opponent)
    wins.set(
        xlabel="minutes of processor time", ylabel="games won against a bot", xlim=points.get_xlim(), ylim=(0, 1.04)
    )
    if trials:
        wins.legend(frameon=False, loc="lower right")
    for axes in (points, wins):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.3)
    figure.savefig(out, dpi=110)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", default="usa")
    parser.add_argument("--minutes", type=float, default=60, help="processor time; trials are not counted")
    parser.add_argument("--games", type=int, default=256, help="at once")
    parser.add_argument("--steps", type=int, default=64, help="of each game between two lessons")
    parser.add_argument("--width", type=int, default=256, help="of the network")
    parser.add_argument(
        "--rate", type=float, default=6e-4, help="of learning, at the start; it falls to nearly nothing"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", default="random,one-step", help="bots of the trials, by commas")
    parser.add_argument("--trials", type=int, default=100, help="games against each of them; 0 for none")
    parser.add_argument("--every", type=float, default=3, help="minutes between trials; the weights are written then")
    parser.add_argument("--out", type=Path, default=Path("learned.npz"), help="the weights, for learned_bot.py")
    parser.add_argument("--log", type=Path, help="a line of JSON for each lesson")
    parser.add_argument("--curve", type=Path, help="a picture of it, with matplotlib")
    return parser.parse_args()


def main() -> None:
    given = options()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    hints = Hints(load_edition(given.edition))
    env = BatchedEnv(given.edition, given.games, players=2, rewards="tickets", seed=given.seed, threads=given.threads)
    network = Network(hints, given.width)
    adam = torch.optim.Adam(network.parameters(), lr=given.rate, eps=1e-5)
    rollout = Rollout(env, hints, given.steps)
    spent, decisions, games, next_trial = 0.0, 0, 0, given.every
    lines: list[dict[str, Any]] = []
    while spent < given.minutes:
        start, left = time.process_time(), 1 - spent / given.minutes
        adam.param_groups[0]["lr"] = given.rate * max(left, 0.05)
        rollout.play(network)
        notes = learn_from(rollout, network, adam, 0.002 + 0.01 * left)
        spent += (time.process_time() - start) / 60
        decisions, games = decisions + rollout.actions.numel(), games + int(rollout.ended.sum())
        line: dict[str, Any] = {"minutes": round(spent, 3), "decisions": decisions, "games": games}
        line |= {name: round(note, 3) for name, note in notes.items()} | {"points": round(float(env.points.mean()), 1)}
        if spent >= min(next_trial, given.minutes):
            next_trial += given.every
            save(network, given.edition, given.out)
            if given.trials:
                opponents = given.against.split(",")
                line["won"] = {name: trial(network, given.edition, name, given.trials) for name in opponents}
        lines.append(line)
        print(json.dumps(line), flush=True)
        if given.log:
            given.log.write_text("".join(json.dumps(one) + "\n" for one in lines))
    if given.curve:
        draw(lines, given.curve)


if __name__ == "__main__":
    main()
