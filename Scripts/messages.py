#!/usr/bin/env python3
"""messages.py check|write: lists the texts that a user may see in Documentation/messages.txt, one per line: FILE "TEXT"

The list shows a reviewer each new or changed text of the program. `check` fails if it is out of date. A text is a string
literal of Sources with a blank and a word of lower-case letters. Messages of preconditions, C modules and the responses
of the demo server are left out.
"""
import difflib
import pathlib
import re
import subprocess
import sys

LIST = pathlib.Path("Documentation/messages.txt")
SKIPPED_FOLDERS = ("Sources/DemoServer/Server", "Sources/C")
FOR_DEVELOPERS = {"precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError"}
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|#*"(?:"")?|(?P<callee>\w*)\(|\)', re.S)
JOINED = re.compile(r'\s*\+\s*(?=#*")')


class Scanner:
    """Finds the string literals of a Swift file, also those inside of interpolations."""

    def __init__(self, source):
        self.source = source
        self.texts = []

    def code(self, position, ending=None):
        """Scans code up to a closing parenthesis that was not opened, or to the end; returns the position after it."""
        callees = []
        while match := TOKEN.search(self.source, position):
            token, position = match[0], match.end()
            if token.startswith("/"):
                continue
            if token.endswith('"'):
                text, position = self.literal(match.start(), token)
                while plus := JOINED.match(self.source, position):
                    start = TOKEN.match(self.source, plus.end())
                    more, position = self.literal(start.start(), start[0])
                    text += more
                if not FOR_DEVELOPERS & set(callees):
                    self.texts.append(text)
            elif token.endswith("("):
                callees.append(match["callee"])
            elif token == ")" and callees:
                callees.pop()
            elif token == ")" and ending:
                return position
        return len(self.source)

    def literal(self, start, opening):
        """The text of the literal at a position, and the position after it."""
        hashes = opening.rstrip('"')
        quotes, escape = opening[len(hashes):], "\\" + hashes
        closing, position, first = quotes + hashes, start + len(opening), start + len(opening)
        while not self.source.startswith(closing, position):
            if position >= len(self.source):
                raise ValueError(f"a string without an end: {self.source[start:start + 60]!r}")
            if self.source.startswith(escape + "(", position):
                position = self.code(position + len(escape) + 1, ending=")")
            elif self.source.startswith(escape, position):
                position += len(escape) + 1
            else:
                position += 1
        text = self.source[first:position]
        if quotes == '"""':
            text = re.sub(r"\\\n\s*", "", text.strip())
            text = re.sub(r"\n[^\S\n]*", r"\\n", text)
        return text, position + len(closing)


def is_shown(text):
    without_values = re.sub(r"\\\([^()]*(?:\([^()]*\)[^()]*)*\)", "", text)
    words = re.findall(r"[a-z]{2,}", without_values)
    return words and " " in text.strip() and " " in without_values


def listed():
    files = subprocess.run(["git", "ls-files", "Sources"], capture_output=True, text=True, check=True).stdout.split()
    lines = []
    for name in files:
        if name.endswith(".swift") and not name.startswith(SKIPPED_FOLDERS):
            scanner = Scanner(pathlib.Path(name).read_text(encoding="utf-8"))
            scanner.code(0)
            lines += [f'{pathlib.Path(name).stem} "{text}"' for text in scanner.texts if is_shown(text)]
    return sorted(set(lines))


def main(mode):
    lines = listed()
    if mode == "write":
        LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    old = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    changes = [line for line in difflib.unified_diff(old, lines, lineterm="", n=0) if line[0] in "+-"][2:]
    for line in changes:
        print(f"{LIST}:1: {line}  <- run make messages")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main((sys.argv[1:] or ["check"])[0]))
