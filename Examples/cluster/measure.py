"""measure.py FILE COMMAND…: appends user, system and wall seconds of a command to FILE, in one line.

They include all descendants of the command, even those that it did not wait for, which time(1) leaves out.
"""
import ctypes
import os
import resource
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36

if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
    sys.exit("measure.py: this kernel cannot report orphaned processes")
began = time.monotonic()
status = subprocess.call(sys.argv[2:])
wall = time.monotonic() - began
try:
    while True:
        os.wait()
except ChildProcessError:
    pass
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "a", encoding="ascii") as file:
    file.write(f"{usage.ru_utime:.3f} {usage.ru_stime:.3f} {wall:.3f}\n")
sys.exit(status if status >= 0 else 128 - status)
