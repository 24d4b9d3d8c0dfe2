"""meter.py FD PROGRAM [ARGUMENT…]: runs the program and writes its costs to FD.

Writes the wall seconds until its end, the CPU seconds of the program and all processes that it started,
including the kernel's time for them, the peak resident memory in bytes of the largest process, and the exit
status.

The script imports almost nothing and is started again for each program: Linux counts the memory of the
starting process toward the started program, so figures below this script's own 8 MB cannot be distinguished.
"""

import posix
import sys
import time


def main():
    """Runs sys.argv[2:] and reports to the file descriptor sys.argv[1]."""
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
    """Yields the costs of processes that outlived the program; this process is their reaper."""
    while True:
        try:
            yield posix.wait4(-1, 0)[2]
        except ChildProcessError:
            return


main()
