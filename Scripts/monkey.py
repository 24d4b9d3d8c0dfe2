#!/usr/bin/env python3
"""monkey.py [--seed N] [--seconds N] [--hang SECONDS] PROGRAM: presses random keys in the gallery.

Runs the real program in a pseudo-terminal, session after session: keys, pastes, mouse events and resizes
between 1x1 and 300x100, over the scenes of monkey_scenes.py. Fails if a session ends by a crash, shows
nothing for longer than --hang after a resize, or does not restore the state of the terminal. The
same seed repeats the same sessions and keys; timing may differ.
"""
import argparse
import fcntl
import os
import pty
import random
import select
import signal
import struct
import sys
import tempfile
import termios
import time

from monkey_scenes import Scenes

# Sent by this script, by Ctrl-C and Ctrl-\\, and by Ctrl-D before the program reads keys itself.
ENDINGS = {signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT}
# Modes that the program switches on, with the sequences that do so.
MODES = {"alternate screen": (b"\x1b[?1049h", b"\x1b[?1049l"), "hidden cursor": (b"\x1b[?25l", b"\x1b[?25h"),
         "mouse": (b"\x1b[?1000h", b"\x1b[?1000l"), "bracketed paste": (b"\x1b[?2004h", b"\x1b[?2004l"),
         "synchronized update": (b"\x1b[?2026h", b"\x1b[?2026l")}
NAMED = ["\r", "\x1b", "\x7f", "\t", " ", "\x0c", "\x06", "\x02", "\x11", "\x1a", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D",
         "\x1bOA", "\x1bOB", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[3~", "\x1bOP", "\x1b[1;5C", "\x1b[99~"]
COMMON = "hjklgGsssiiii?t+-=wnpzRxcCyYfFmMuUvVoOaALT%[]/:0123456789\"'<>,.;"
# Ends the output of a shell command (`!`).
PAUSE = b"press any key to return"
PASTES = ["hello", "q", ":clear\r", "\x1b[A\x1b[B", "日本語 ＡＢ \u0301", "x" * 5000, "/tmp/no such\nfolder\t", "\x00\x07\x9b"]
TERMINALS = ["xterm-256color", "xterm", "vt100", "linux", "screen-256color", "xterm-16color"]


class Failure(Exception):
    pass


class Session:
    """One run of the program in a terminal of its own."""

    def __init__(self, program, arguments, environment):
        self.keys = []
        self.output = bytearray()
        master, slave = pty.openpty()
        self.master = master
        self.slave = slave
        self.set_size(24, 80)
        self.before = termios.tcgetattr(slave)
        self.process = os.fork()
        if self.process == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for descriptor in range(3):
                os.dup2(slave, descriptor)
            os.closerange(3, 256)
            os.chdir(environment["HOME"])
            os.execve(program, [program, *arguments], environment)
        self.status = None

    def set_size(self, rows, columns):
        self.size = (rows, columns)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, rows * 20, columns * 10))

    def read(self, seconds):
        """Reads the output of the program for at most this many seconds; returns whether there was any."""
        found = False
        end = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            if not ready:
                return found
            try:
                piece = os.read(self.master, 1 << 16)
            except OSError:
                return found
            if not piece:
                return found
            found = True
            self.output += piece
            if len(self.output) > 8 << 20:
                del self.output[:4 << 20]
            end = min(end, time.monotonic() + 0.02)

    def send(self, text):
        self.keys.append(text)
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        while data and self.is_running():
            _, writable, _ = select.select([], [self.master], [], 0.05)
            if writable:
                data = data[os.write(self.master, data[:512]):]
            self.read(0)

    def is_running(self):
        if self.status is None:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.status = status
        return self.status is None

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while self.is_running() and time.monotonic() < end:
            self.read(0.02)
        self.read(0.05)
        return self.status is not None

    def close(self):
        if self.is_running():
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.master)
        os.close(self.slave)

    def check_end(self):
        if os.WIFSIGNALED(self.status):
            number = os.WTERMSIG(self.status)
            if number not in ENDINGS:
                raise Failure(f"ended by {signal.Signals(number).name}")
        after = termios.tcgetattr(self.slave)
        if after[:4] != self.before[:4]:
            raise Failure("the terminal's modes are not restored")
        for name, (on, off) in MODES.items():
            if self.output.rfind(on) > self.output.rfind(off):
                raise Failure(f"the terminal is left with: {name}")


def random_input(choose):
    """Keys, a paste or mouse events."""
    kind = choose.random()
    if kind < 0.50:
        return choose.choice(COMMON)
    if kind < 0.78:
        return choose.choice(NAMED)
    if kind < 0.82:
        return f"{choose.randint(1, 99999)}{choose.choice('jkGl%')}"
    if kind < 0.86:
        return chr(choose.choice([choose.randint(32, 126), choose.randint(0xA0, 0x2FFF), choose.randint(1, 31)]))
    if kind < 0.90:
        end = "\x1b[201~" if choose.random() < 0.9 else ""
        return f"\x1b[200~{choose.choice(PASTES)}{end}"
    button = choose.choice([0, 0, 0, 1, 2, 32, 35, 64, 65, 64, 65])
    place = f"{choose.randint(0, 310)};{choose.randint(0, 110)}"
    return f"\x1b[<{button};{place}{choose.choice('MMm')}"


def run_session(program, scene, choose, end, hang):
    """Drives one session; returns the number of inputs."""
    arguments, environment = scene
    terminal = choose.choice(TERMINALS)
    environment = dict(environment, TERM=terminal)
    if choose.random() < 0.5:
        environment["COLORTERM"] = "truecolor"
    if choose.random() < 0.5:
        arguments = [*arguments, "--pixels", choose.choice(["kitty", "sixel", "iterm", "off"])]
    session = Session(program, arguments, environment)
    try:
        session.wait(0.5)
        count = 0
        for _ in range(choose.randint(20, 120)):
            if time.monotonic() > end or not session.is_running():
                break
            if choose.random() < 0.12:
                size = (choose.choice([1, 2, 5, 12, 18, 24, 25, 40, choose.randint(1, 100)]),
                        choose.choice([1, 2, 20, 40, 71, 80, 120, 148, choose.randint(1, 300)]))
                if size == session.size:
                    continue
                session.read(0)
                session.keys.append(f"<{size[1]}x{size[0]}>")
                session.set_size(*size)
                # The output of a shell command stays as it is until a key is pressed.
                if PAUSE in session.output[-len(PAUSE) - 20:]:
                    session.send(" ")
                if not session.read(hang) and session.is_running():
                    raise Failure(f"nothing was drawn within {hang} s after a resize to {size[1]}x{size[0]}")
                continue
            for _ in range(choose.choice([1, 1, 1, 2, 3, 30])):
                session.send(random_input(choose))
                count += 1
            session.read(choose.choice([0, 0.01, 0.05, 0.2]))
        if session.is_running():
            ending = choose.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
            os.kill(session.process, ending)
        if not session.wait(hang + 3):
            raise Failure(f"did not end within {hang + 3} s after a signal")
        session.check_end()
        return count
    except Failure as failure:
        tail = session.output[-400:].decode("utf-8", "replace")
        raise Failure(f"{failure}\n  TERM={terminal} {' '.join(arguments)}\n  last inputs: {session.keys[-60:]!r}"
                      f"\n  last output: {tail!r}") from None
    finally:
        session.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--hang", type=float, default=2)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    end = time.monotonic() + options.seconds
    sessions = inputs = 0
    with tempfile.TemporaryDirectory(prefix="termgallery-monkey-") as home, Scenes(program, home) as scenes:
        while time.monotonic() < end:
            # A generator for each session, so that timing in one does not change the next.
            choose = random.Random(f"{options.seed}/{sessions}")
            sessions += 1
            try:
                inputs += run_session(program, scenes.choose(choose), choose, end, options.hang)
            except Failure as failure:
                print(f"monkey: seed {options.seed}, session {sessions}: {failure}", file=sys.stderr)
                return 1
    print(f"monkey: seed {options.seed}: {inputs} inputs in {sessions} sessions, no fault")
    return 0


if __name__ == "__main__":
    sys.exit(main())
