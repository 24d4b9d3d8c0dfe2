"""The programs that are measured, and how each is told to do the same."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from measure import BenchError, Contestant, metered, text
from pictures import write_curl_list
from screen import first_screen

CELLS = "40x20"
PRINT = ["print", "--size", CELLS, "--columns", "1", "--colors", "24bit", "--symbols", "half",
         "--pixels", "off"]
GALLERY = ["--colors", "24bit", "--symbols", "half", "--pixels", "off", "--no-disk-cache"]
PEERS = {"timg": [f"-g{CELLS}", "-ph"],
         "chafa": ["-c", "full", "--symbols", "vhalf", "-s", CELLS]}


class Programs:
    """Ours, one or (to compare) two, as (name, path); and where they may write."""

    def __init__(self, ours, scratch, with_peers):
        self.ours, self.scratch, self.with_peers = ours, Path(scratch), with_peers
        self.peers = {kind: versions(kind) for kind in PEERS} if with_peers else {}
        self.variables = {}

    def home(self, name):
        """A folder for one program alone."""
        folder = self.scratch / re.sub(r"[^A-Za-z0-9.]+", "-", name)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def environment(self, name):
        """The same for all, of the machine only PATH; caches and configuration lie in the home."""
        home = str(self.home(name))
        return {**self.variables, "PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8",
                "TERM": "xterm-256color", "COLORTERM": "truecolor",
                "XDG_CACHE_HOME": home + "/cache", "XDG_CONFIG_HOME": home + "/config",
                "XDG_STATE_HOME": home + "/state", "XDG_DATA_HOME": home + "/data"}

    def termgallery(self, arguments, x="", variant="", cold=False, status=0):
        """Ours with these arguments, a contestant for each binary; `cold` empties its cache first."""
        found = []
        for name, path in self.ours:
            environment, command = self.environment(name), [path, *map(str, arguments)]
            cache = self.home(name) / "cache"
            found.append(Contestant(
                name, lambda c=command, e=environment: metered(c, e, status),
                x, variant, text(["termgallery", *arguments]),
                (lambda c=cache: shutil.rmtree(c, ignore_errors=True)) if cold else None))
        return found

    def gallery(self, feed, columns, rows, x):
        """Our gallery until its first screen."""
        found = []
        for name, path in self.ours:
            environment, command = self.environment(name), [path, *GALLERY, "--no-remember", feed]
            found.append(Contestant(
                name, lambda c=command, e=environment: first_screen(c, e, columns, rows),
                x, "", text(["termgallery", *GALLERY, feed])))
        return found

    def viewers(self, files, x="", variant=""):
        """timg and chafa on files, each version of them."""
        return [self.other(name, [path, *PEERS[kind], *files], x, variant,
                           text([kind, *PEERS[kind], *files]))
                for kind, found in self.peers.items() for name, path in found]

    def viewers_after_curl(self, urls, x, variant):
        """curl -Z, then timg or chafa on what it brought."""
        found = []
        for kind, paths in self.peers.items():
            for name, path in paths:
                folder = self.home(name) / "bodies"
                listed = write_curl_list(self.home(name) / "urls.txt", urls, folder)
                script = f'curl -sfZ -K {listed} && exec {path} {" ".join(PEERS[kind])} {folder}/*'
                found.append(self.other(
                    f"curl, {name}", ["sh", "-c", script], x, variant,
                    f"curl -sfZ -K LIST && {kind} {' '.join(PEERS[kind])} FILES",
                    lambda f=folder: anew(f)))
        return found

    def curl(self, urls, transfers, x, folder=None):
        """curl -Z, the bodies into a folder or thrown away."""
        if not self.with_peers:
            return []
        variant = "-Z, files" if folder else "-Z, /dev/null"
        listed = write_curl_list(self.home(f"curl {variant} {x}") / "urls.txt", urls, folder)
        command = ["curl", "-sfZ", "--parallel-max", str(transfers), "-K", listed]
        return [self.other("curl", command, x, variant, text(command[:-1] + ["LIST"]),
                           (lambda: anew(folder)) if folder else None)]

    def other(self, name, command, x, variant, shown, before=None):
        """Somebody else's program as a contestant."""
        environment, command = self.environment(name), [str(word) for word in command]
        return Contestant(name, lambda: metered(command, environment), x, variant, shown, before)


def anew(folder):
    """Empties a folder, or makes it."""
    shutil.rmtree(folder, ignore_errors=True)
    Path(folder).mkdir(parents=True)


def versions(kind):
    """(name with version, path) of Debian's timg or chafa, or of those that TIMG= or CHAFA= lists,
    with colons between them."""
    found = []
    for path in os.environ.get(kind.upper(), kind).split(":"):
        program = shutil.which(path)
        if program is None:
            raise BenchError(f"{path} is missing; Scripts/setup.sh bench installs Debian's {kind}")
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        words = (said.stdout + said.stderr).split()
        number = next((word for word in words if word[:1].isdigit()), "")
        name = f"{kind} {number}".strip().rstrip("+")
        found.append((name if name not in dict(found) else f"{name} ({program})", program))
    return found
