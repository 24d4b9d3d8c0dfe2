#!/usr/bin/env python3
"""third_party.py licenses|sbom BUILD: prints THIRD-PARTY.md, or a software bill of materials (SPDX 2.3, JSON).

BUILD is a folder of a Swift build; the licenses of the Swift packages are read from its checkouts, those of the C
libraries from the files that Debian installs with them, and that of the Swift runtime from the toolchain.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

# Debian's package, the name of the library, its license (SPDX), and which programs contain it.
C_LIBRARIES = [
    ("libncurses-dev", "ncurses", "X11-distribute-modifications-variant", "all"),
    ("libpng-dev", "libpng", "libpng-2.0", "tarball, wheel"),
    ("libjpeg62-turbo-dev", "libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", "tarball, wheel"),
    ("libdeflate-dev", "libdeflate", "MIT", "tarball, wheel"),
    ("zlib1g-dev", "zlib", "Zlib", "tarball, wheel"),
]
SWIFT_LICENSE = "Apache-2.0 WITH Swift-exception"


class Component:
    def __init__(self, name, version, license_id, place, texts):
        self.name, self.version, self.license, self.place = name, version, license_id, place
        self.texts = texts


def fail(text):
    sys.exit("third_party: " + text)


def read(path):
    if not os.path.exists(path):
        fail(f"{path} is missing; run make setup")
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().strip()


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def swift_packages(build):
    found = re.findall(r'apple/([a-z-]+)", exact: "([^"]+)"', read("Package.swift"))
    if not found:
        fail("Package.swift names no package with an exact version")
    for name, version in sorted(found):
        folder = os.path.join(build, "checkouts", name)
        text = read(os.path.join(folder, "LICENSE.txt"))
        texts = [("license", text)]
        # The notice of SwiftNIO names the code of others in it, among them llhttp.
        notice = os.path.join(folder, "NOTICE.txt")
        if name == "swift-nio" or os.path.exists(notice):
            texts.append(("notice", read(notice)))
        license_id = SWIFT_LICENSE if "Runtime Library Exception" in text else "Apache-2.0"
        yield Component(name, version, license_id, "all", texts)


def components(build):
    swift = shutil.which("swift") or fail("'swift' is not on the PATH")
    toolchain = os.path.dirname(os.path.dirname(os.path.realpath(swift)))
    version = re.search(r"Swift version ([0-9.]+)", output("swift", "--version")).group(1)
    runtime = read(os.path.join(toolchain, "share/swift/LICENSE.txt"))
    yield Component("Swift runtime and Foundation", version, SWIFT_LICENSE, "all", [("license", runtime)])
    yield from swift_packages(build)
    gcc = output("gcc", "-dumpfullversion")
    yield Component("GCC and C++ runtime", gcc, "GPL-3.0-or-later WITH GCC-exception-3.1", "all", [])
    for package, name, license_id, place in C_LIBRARIES:
        found = output("dpkg-query", "-W", "-f", "${source:Upstream-Version}", package)
        text = read(f"/usr/share/doc/{package}/copyright")
        yield Component(name, found, license_id, place, [("copyright", text)])


def licenses(build):
    found = list(components(build))
    print("# Third-party software\n")
    print("`make third-party` writes this file. The program contains code of the projects in the table. All other")
    print("libraries are loaded from the system and are in no package.\n")
    print("| software | version | license (SPDX) | in |\n|---|---|---|---|")
    for part in found:
        print(f"| {part.name} | {part.version} | {part.license} | {part.place} |")
    seen = set()
    for part in found:
        for title, text in part.texts:
            if text in seen:
                continue
            seen.add(text)
            body = "\n".join(line.rstrip() for line in text.splitlines())
            print(f"\n## {part.name}: {title}\n\n```\n{body}\n```")


def sbom(build):
    version = output("Packaging/version.sh")
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(output("Packaging/version.sh", "date"))))

    def package(identifier, name, version, license_id):
        return {
            "SPDXID": f"SPDXRef-{identifier}",
            "name": name,
            "versionInfo": version,
            "licenseConcluded": license_id,
            "licenseDeclared": license_id,
            "copyrightText": "NOASSERTION",
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False,
        }

    packages = [package("termgallery", "termgallery", version, "MIT")]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-termgallery")]
    for part in components(build):
        identifier = re.sub(r"[^A-Za-z0-9]+", "-", part.name)
        packages.append(package(identifier, part.name, part.version, part.license))
        relations.append(("SPDXRef-termgallery", "CONTAINS", f"SPDXRef-{identifier}"))
    # The namespace must differ between documents with different contents, and be equal for equal ones.
    digest = hashlib.sha256(json.dumps(packages).encode()).hexdigest()[:16]
    print(json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"termgallery-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/termgallery-{version}-{digest}",
        "creationInfo": {"created": created, "creators": ["Organization: TermGallery"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relations
        ],
    }, indent=2))


if __name__ == "__main__":
    actions = {"licenses": licenses, "sbom": sbom}
    if len(sys.argv) != 3 or sys.argv[1] not in actions:
        sys.exit("usage: third_party.py licenses|sbom BUILD")
    build = os.path.abspath(sys.argv[2])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    actions[sys.argv[1]](build)
