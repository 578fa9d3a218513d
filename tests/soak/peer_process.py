#!/usr/bin/env python3
"""A process with sessions, which others kill or stop.

Usage: peer_process.py HOST PORT SESSIONS GAME

Prints `ready N` once N sessions are open (the server may be full), plays on in all of them, and
answers each line of its input with `alive N`: how many still answer rightly. The end of its input
ends it.
"""

import random
import select
import sys

from games import game_named
from peer import Ended, Peer


def main() -> int:
    host, port, wanted, name = sys.argv[1:]
    game, choice = game_named(name), random.Random(0)
    peers: list[Peer] = []
    for _ in range(int(wanted)):
        peer = Peer((host, int(port)))
        if peer.reset():
            peers.append(peer)
    print("ready", len(peers), flush=True)
    while True:
        asked, _, _ = select.select([sys.stdin], [], [], 0.1)
        alive = 0
        for peer in list(peers):
            action = game.action(choice)
            try:
                alive += game.wrong(action, peer.step(action)) is None
            except (Ended, OSError):
                peers.remove(peer)
        if asked:
            if not sys.stdin.readline():
                return 0
            print("alive", alive, flush=True)


if __name__ == "__main__":
    sys.exit(main())
