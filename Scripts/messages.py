#!/usr/bin/env python3
"""messages.py: lists the texts of the program that a user may see, one per line: FILE: TEXT.

Prints the string literals of Sources that contain a blank and a word. The folders of C modules and of the demo
server's responses are left out.
"""
import pathlib
import re
import subprocess
import sys

SKIPPED_FOLDERS = ("Sources/DemoServer/Server", "Sources/C")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
BLOCK = re.compile(r'"""\n(.*?)\n\s*"""', re.S)


def texts(path):
    source = pathlib.Path(path).read_text(encoding="utf-8")
    source = re.sub(r"^\s*//.*$", "", source, flags=re.M)
    # Literals joined with + are one text.
    source = re.sub(r'"\s*\n?\s*\+ "', "", source)
    for block in BLOCK.findall(source):
        yield re.sub(r"\s*\\?\n\s*", " ", block.strip())
    for literal in STRING.findall(BLOCK.sub("", source)):
        words = re.findall(r"[a-z]{2,}", re.sub(r"\\\([^)]*\)", "", literal))
        if " " in literal.strip() and words:
            yield literal


def main():
    files = subprocess.run(["git", "ls-files", "Sources"], capture_output=True, text=True, check=True).stdout
    for path in sorted(files.split()):
        if path.endswith(".swift") and not path.startswith(SKIPPED_FOLDERS):
            for text in texts(path):
                print(f"{path.removeprefix('Sources/')}: {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
