import Feeds
import FoundationEssentials
import Glibc
import TerminalUI
import Testing

extension EndToEnd {
    /// Decoding in helpers, from outside: by our own program, and by one that uses the library.
    @Suite struct IsolationTests {
        private let program = TestProgram()
        private var adopter: String {
            program.path.replacing("/termgallery", with: "/CrashingHelper")
        }

        @Test func `print writes the same bytes with helpers and without`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 9)
            let prints = try ["always", "never", "auto"].map { isolate in
                try program.run(["print", "--no-disk-cache", "--isolate", isolate, folder])
            }

            #expect(prints.allSatisfy { $0.status == .exited(0) && $0.errors.isEmpty })
            #expect(prints[0].output == prints[1].output)
            #expect(prints[0].output == prints[2].output)
        }

        /// A helper opens no files once it receives images, but the library that draws may need
        /// modules for embedded ones.
        @Test func `a helper draws the image that is embedded in a drawing`() throws {
            defer { program.remove() }
            let red = "R0lGODlhAQABAPAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="
            let drawing = """
                <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
                width="48" height="48">\
                <image width="48" height="48" xlink:href="data:image/gif;base64,\(red)"/></svg>
                """
            let path = try program.write(drawing.utf8, to: "drawing.svg")
            let run = try program.run([
                "print", "--no-disk-cache", "--isolate", "always", "--colors", "24bit", "--size",
                "4x2", path,
            ])

            #expect(run.status == .exited(0))
            #expect(run.text.contains("2;255;0;0"))
        }

        @Test func `fetch reports the same with helpers and without`() throws {
            defer { program.remove() }
            let server = try PictureServer()
            defer { server.stop() }
            let feed = try program.feed(
                server.lines(1...6) + server.lines(7...8, query: "html=1")
            )
            let reports = try ["always", "never"].map { isolate in
                try program.run(["fetch", "--jsonl", "--no-disk-cache", "--isolate", isolate, feed])
                    .reports().mapValues { [$0.status, $0.format ?? "", $0.error?.message ?? ""] }
            }

            #expect(reports[0].count == 8 && reports[0] == reports[1])
        }

        @Test func `the gallery shows images that helpers have decoded`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 6)
            let terminal = try program.openGallery(["--isolate", "always", folder])

            try terminal.expect("six pictures") { screen in
                (1...6).allSatisfy { number in
                    let suffix = number % 3 == 0 ? "jpg" : "png"
                    return screen.showsPicture(number, above: "picture \(number).\(suffix)")
                }
            }
            terminal.type("q")
            #expect(terminal.waitForEnd() == .exited(0))
        }

        @Test func `crashes cost one image each, and leave no descriptor and no process`() throws {
            defer { program.remove() }
            let crashes = [
                "badAddress", "trap", "abort", "opensFile", "processorTime", "garbage",
                "silence",
            ]
            let words = crashes.flatMap { ["\($0)+good", "good"] }
            let run = try adopt(["good+good", "count"] + words + ["good+good", "count"])

            #expect(run.status == .exited(0))
            let lines = run.lines.map(String.init)
            let goodCount = lines.count { $0 == "good: 3×2" }
            #expect(goodCount == 4 + 2 * crashes.count)
            for crash in crashes {
                let text = try #require(lines.first { $0.hasPrefix("\(crash): ") })
                #expect(text.contains("crashed") || text.contains("needs") || text.contains("took"))
            }
            // Two threads decode: each has a helper, or none yet if the other one was faster at first. A
            // helper has a socket and the memory for its answers.
            let counts = lines.filter { $0.hasPrefix("count: ") }.map { line in
                line.split(separator: " ").dropFirst().compactMap { Int($0) }
            }
            try #require(counts.count == 2 && counts.allSatisfy { $0.count == 2 })
            let (descriptors, helpers) = (counts.map(\.[0]), counts.map(\.[1]))
            #expect(helpers.allSatisfy { (1...2).contains($0) })
            #expect(descriptors == helpers.map { 2 * $0 })
        }

        @Test func `helpers work if SIGCHLD is ignored`() throws {
            defer { program.remove() }
            let run = try adopt(["--ignore-children", "good", "abort", "good"])

            let goodCount = run.lines.count { $0 == "good: 3×2" }
            #expect(goodCount == 2)
            #expect(run.text.contains("abort: the decoder crashed"))
        }

        @Test func `a program without the isolation line is never started again`() throws {
            defer { program.remove() }
            let always = try adopt(["--without-line", "good"])
            let auto = try adopt(["--without-line", "--auto", "good"])

            #expect(always.text.contains("runIfAsked()") && always.status == .exited(0))
            #expect(auto.text == "good: 3×2\n")
        }

        @Test func `a helper without a decoder for a file reports it`() throws {
            defer { program.remove() }
            let always = try adopt(["other-good"])
            let auto = try adopt(["--auto", "other-good"])

            #expect(always.text.contains("runIfAsked() has no decoder"))
            #expect(auto.text == "other-good: 3×2\n")
        }

        @Test func `decoding continues with few descriptors`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 4)
            for isolate in ["auto", "always"] {
                let command =
                    "ulimit -n 32; exec '\(program.path)' print --isolate \(isolate) '\(folder)'"
                let run = try ProgramRun(
                    "/bin/sh",
                    ["-c", command],
                    environment: program.environment()
                )
                #expect(run.status == .exited(0))
                #expect(run.text.contains("picture 4.png") && !run.text.contains("can't"))
            }
        }

        @Test func `doctor reports the restrictions of the helpers`() throws {
            defer { program.remove() }
            let run = try program.run(["doctor"])

            let line = try #require(run.lines.first { $0.hasPrefix("decoders: ") })
            #expect(
                line.contains("separate processes") && line.contains("system calls filtered")
            )
        }

        @Test func `doctor lists the available formats`() throws {
            defer { program.remove() }
            let run = try program.run(["doctor"])

            let line = try #require(run.lines.first { $0.hasPrefix("formats: ") })
            let formats = "JPEG, PNG, BMP, icon, QOI, PNM, PSD, RAW, GIF, WebP, AVIF, HEIC, "
            #expect(line.hasPrefix("formats: " + formats))
        }

        @Test func `doctor names the library file that cannot be loaded`() throws {
            defer { program.remove() }
            let folder = "\(program.home)/libraries"
            mkdir(folder, 0o700)
            _ = try program.write("no library".utf8, to: "libraries/libheif.so.1")
            let run = try ProgramRun(
                program.path,
                ["doctor"],
                environment: program.environment(adding: ["LD_LIBRARY_PATH": folder])
            )

            #expect(run.lines.contains("no HEIC: install libheif1 (\(folder)/libheif.so.1)"))
        }

        private func adopt(_ arguments: [String]) throws -> ProgramRun {
            try ProgramRun(adopter, arguments, environment: program.environment())
        }
    }
}
