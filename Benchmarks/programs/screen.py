"""Acts as the terminal of the gallery, and measures the time of its first screen and its memory."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from pathlib import Path

from measure import BenchError, Usage

HALF_BLOCK = "▀".encode()
AT_REST = 0.4  # seconds without cells of images and without CPU time
LIMIT = 120
TICKS = os.sysconf("SC_CLK_TCK")


def first_screen(command, environment, columns, rows):
    """Runs the gallery until it is idle. Returns a Usage: the wall seconds until the last cell of an image was
    written, the CPU seconds until it was idle, and the peak memory of the largest of it and its helpers.

    Queries of the gallery are not answered, as in old terminals."""
    started = time.monotonic()
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        try:
            os.execvpe(command[0], command, environment)
        finally:
            os._exit(127)
    try:
        shown, cells, usage = watch(child, terminal)
    finally:
        end(child, terminal)
    if cells < columns * rows // 4:
        raise BenchError(f"{cells} half blocks on {columns}×{rows} are not a screen of images: "
                         + " ".join(command))
    return Usage(shown - started, *usage)


def watch(child, terminal):
    """Returns the time of the last half block, the number of half blocks, and (CPU seconds, peak bytes) when idle."""
    shown, cells, rested, usage = 0.0, 0, time.monotonic(), (0.0, 0)
    limit = rested + LIMIT
    while time.monotonic() < limit:
        if select.select([terminal], [], [], 0.02)[0]:
            try:
                output = os.read(terminal, 1 << 16)
            except OSError:
                raise BenchError("the gallery ended before it was told to") from None
            now = time.monotonic()
            if HALF_BLOCK in output:
                shown, rested = now, now
                cells += output.count(HALF_BLOCK)
            continue
        now, found = time.monotonic(), costs(child)
        if found[0] != usage[0]:
            rested = now
        usage = found
        if cells and now - rested > AT_REST:
            return shown, cells, usage
    raise BenchError(f"the gallery does not come to rest within {LIMIT} s")


def costs(process):
    """Returns the CPU seconds of a process and its children, and the peak bytes of the largest."""
    cpu, peak = 0.0, 0
    for one in [process, *children(process)]:
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            status = Path(f"/proc/{one}/status").read_text()
        except OSError:
            continue
        # User and system ticks: its own, and those of children that it waited for.
        cpu += sum(int(ticks) for ticks in fields[11:15]) / TICKS
        peak = max(peak, *(int(line.split()[1]) * 1024 for line in status.splitlines()
                           if line.startswith("VmHWM:")))
    return cpu, peak


def children(process):
    """Returns the processes that the threads of a process started."""
    found = []
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(word) for word in file.read_text().split()]
        except OSError:
            pass
    return found


def end(child, terminal):
    """Ends the gallery; kills it after five seconds."""
    os.kill(child, signal.SIGTERM)
    limit = time.monotonic() + 5
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > limit:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        # It may wait until its last output is read.
        if select.select([terminal], [], [], 0.02)[0]:
            try:
                os.read(terminal, 1 << 16)
            except OSError:
                time.sleep(0.02)
    os.close(terminal)
