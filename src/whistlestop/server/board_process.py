"""The process that reads and draws boards of strangers; the server kills it when it takes too long.

The server starts it as `python -m whistlestop.server.board_process`, and it ends with its input. A request is the text
of a map file, the answer a pickled `ReadBoard` or `BoardFault`; each has its length in front.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from contextlib import suppress
from struct import Struct

from whistlestop.bots.own_process import STDERR, take_pipes
from whistlestop.server.strange_boards import read_strange_board

SIZE = Struct(">I")
"""What stands in front of every message."""


def main() -> None:
    """Answer until the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends this process in good order
    with suppress(AttributeError, OSError):
        os.nice(5)  # those who play come first
    requests, answers = take_pipes(prints_to=STDERR)
    try:
        while header := requests.read(SIZE.size):
            data = pickle.dumps(read_strange_board(requests.read(SIZE.unpack(header)[0])))
            answers.write(SIZE.pack(len(data)) + data)
            answers.flush()
    except BrokenPipeError:  # the server is gone
        sys.exit(1)


if __name__ == "__main__":
    main()
