"""Runs the gallery in a pseudo-terminal under callgrind, and the demo server beside a client."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

# The program has drawn everything when it has written nothing for this long.
QUIET = 1.5


def read_until_quiet(descriptor, limit=120):
    """Reads what the program writes until it writes nothing for a while."""
    end = time.monotonic() + limit
    seen = b""
    while time.monotonic() < end:
        ready, _, _ = select.select([descriptor], [], [], QUIET if seen else 30)
        if not ready:
            return seen
        try:
            piece = os.read(descriptor, 65536)
        except OSError:
            return seen
        if not piece:
            return seen
        seen += piece
    return seen


def count(counter, environment, arguments, steps, waits_for_more=True):
    """Opens the gallery, moves down one row at a time, quits, and returns the number of instructions.

    If `waits_for_more` is true, the gallery may continue to work without drawing: it is closed when it has drawn
    nothing for a while, at the latest after 30 s.
    """
    command, result = counter.command(arguments)
    pid, descriptor = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.execvpe(command[0], command, environment)
    read_until_quiet(descriptor)
    # Each step waits for the frame of the last one, so that no two steps are drawn as one.
    for _ in range(steps):
        os.write(descriptor, b"j")
        ready, _, _ = select.select([descriptor], [], [], 10)
        if ready:
            os.read(descriptor, 1 << 20)
    if waits_for_more:
        read_until_quiet(descriptor)
    os.write(descriptor, b"q")
    while True:
        try:
            if not os.read(descriptor, 65536):
                break
        except OSError:
            break
    _, status = os.waitpid(pid, 0)
    os.close(descriptor)
    if status != 0:
        raise SystemExit(f"instructions: {arguments} ended with {status}")
    return counter.total(result)


class Server:
    """The demo server, without delays and faults."""

    def __init__(self, binary, environment, count):
        options = ["--latency", "0", "--bandwidth", "0", "--failures", "0", "--port", "0"]
        self.process = subprocess.Popen(
            [binary, "serve", "--count", str(count), *options], env=environment, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self):
        line = self.process.stdout.readline()
        return next(word.rstrip(",") for word in line.split() if word.startswith("http"))

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
