"""meter.py FD PROGRAM [ARGUMENT…]: runs the program and writes to FD what it cost.

Writes wall seconds until its end, CPU seconds of it and of all processes that it started, the
kernel's for them included, the peak of resident memory in bytes of the largest of them, and its
exit status.

It imports next to nothing and is started anew for each program: Linux counts the memory of the
process that starts a program as that program's, so nothing under this script's own 8 MB can be
told apart.
"""

import posix
import sys
import time


def main():
    """Runs sys.argv[2:], reports to the descriptor sys.argv[1]."""
    command = sys.argv[2:]
    started = time.monotonic()
    child = posix.posix_spawn(command[0], command, posix.environ)
    _, status, usage = posix.wait4(child, 0)
    wall = time.monotonic() - started
    usages = [usage, *orphans()]
    cpu = sum(each.ru_utime + each.ru_stime for each in usages)
    peak = max(each.ru_maxrss for each in usages) * 1024
    code = posix.waitstatus_to_exitcode(status)
    posix.write(int(sys.argv[1]), f"{wall} {cpu} {peak} {code}".encode())


def orphans():
    """What processes cost that the program left to its parent: this one is made their reaper."""
    while True:
        try:
            yield posix.wait4(-1, 0)[2]
        except ChildProcessError:
            return


main()
