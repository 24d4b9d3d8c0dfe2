import DemoServer
import Feeds
import Glibc
import PropertyRuns
import TerminalUI
import Testing

extension EndToEnd {
    /// Hostile input: on the command line, in folders, and through limits.
    @Suite struct RefusalTests {
        private let program = TestProgram()

        private func shell(_ script: String) throws -> ProgramRun {
            try ProgramRun(
                "/bin/sh",
                ["-c", "cd \(program.home); program=\(program.path); \(script)"],
                environment: program.environment()
            )
        }

        @Test(arguments: [
            ["print", "--size", "\u{1B}[31m\nError: forged"],
            ["fetch", "no\u{1B}]0;title\u{7}\nx"],
            ["cache", "\u{9B}31m"], ["--\u{1B}[31m", "x"], ["help", "\u{1B}c"],
        ])
        func `an escape sequence in an argument does not reach the terminal in an error`(
            arguments: [String]
        ) throws {
            defer { program.remove() }
            let run = try program.run(arguments)

            let text = run.errors + run.text
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
            #expect(!text.unicodeScalars.contains("\u{9B}"))
            #expect(!text.split(separator: "\n").contains("Error: forged"))
        }

        @Test func `a closed output is an error, and no file is written to instead`()
            throws
        {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let run = try shell(
                """
                "$program" fetch --jsonl --log log.txt \(folder) >&-
                echo $?; cat log.txt
                """
            )

            #expect(run.errors.contains("cannot write the output: Bad file descriptor"))
            #expect(run.text.hasPrefix("71\n") && !run.text.contains("status"), "\(run.text)")
        }

        @Test func `names that are not UTF-8 work as arguments, folders and lines of a feed`()
            throws
        {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)
            let run = try shell(
                """
                odd="$(printf 'caf\\351')"; mkdir "$odd"
                cp \(folder)/*.png "$odd/$odd.png"; printf 'caf\\351/caf\\351.png\\n' > feed.txt
                for feed in "$odd/$odd.png" "$odd" feed.txt; do
                    "$program" fetch --jsonl "$feed" || exit
                done
                cd "$odd" && "$program" fetch --jsonl --cache-dir "$odd" "$odd.png"
                """
            )

            #expect(run.status == .exited(0), "\(run.errors)")
            #expect(run.lines.count == 4)
            #expect(run.lines.allSatisfy { $0.contains("/caf%E9/caf%E9.png\"") })
        }

        @Test func `a cache path that is not a folder is an error, not an empty cache`() throws {
            defer { program.remove() }
            try program.write([1], to: "file")
            for command in ["stats", "clear", "clean"] {
                let run = try program.run(["cache", command, "--cache-dir", program.home + "/file"])

                #expect(run.status == .exited(1) && run.output.isEmpty)
                #expect(run.errors.contains("can't be read: Not a directory"))
            }
        }

        @Test func `a world-writable cache is not used, which is reported once`() throws {
            defer { program.remove() }
            let folder = program.home + "/shared"
            mkdir(folder, 0o700)
            chmod(folder, 0o777)

            let run = try program.run([
                "fetch", "--cache-dir", folder, program.pictureFolder(count: 2),
            ])

            #expect(run.status == .exited(0))
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(run.errors.contains("\(folder) is disabled: other users can write to it"))
            #expect(fileNames(under: folder).isEmpty)
        }

        /// A sanitizer maps more before `main` than the limits on memory allow.
        private static let limits = ["-n 8", "-v 100000", "-v 180000", "-d 20000"]
            .prefix(PropertyRuns.isSanitized ? 1 : 4)

        @Test(arguments: limits)
        func `a missing system resource is named immediately`(
            limit: String
        ) throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 1)

            let run = try shell("ulimit \(limit); exec \"$program\" fetch \(folder)")

            #expect(run.status == .exited(71))
            let flag = limit.prefix(2)
            #expect(run.errors.contains("ulimit \(flag)"), "\(run.errors)")
        }

        /// In blocks of 512 bytes; with less a sanitizer, which needs a file of its own, ends before
        /// `main`.
        private static let fileSizes = ["unlimited"] + (PropertyRuns.isSanitized ? [] : ["0", "1"])

        @Test(arguments: fileSizes)
        func `images above the file size limit are loaded and not stored`(size: String) throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let feed = try program.feed([server.url(1), server.url(2)])

            let run = try shell("ulimit -f \(size); exec \"$program\" fetch \(feed)")

            #expect(run.status == .exited(0))
            let isKept = size == "unlimited"
            let warning = "2 images not stored in the disk cache: "
            #expect(run.errors.contains(warning) == !isKept, "\(run.errors)")
            #expect(run.errors.contains("File too large") == !isKept)
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func `an interrupted fetch keeps the received bytes and continues with them`(
            signal: Int32
        ) throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let url = "http://127.0.0.1:\(server.server.port)/pictures/1.png?width=600"
            let (slow, feed) = (url + "&stall=40000", try program.feed([url]))
            let trace = program.home + "/trace"
            let cache = program.home + "/.cache/termgallery"
            let run = try BackgroundRun(
                program.path,
                ["fetch", "--trace", trace, program.write(slow.utf8, to: "slow.txt")],
                environment: program.environment()
            )
            #expect(eventually { contents(of: trace).contains(#""received":40000"#) })

            run.send(signal)

            #expect(run.status() == .killed(by: signal))
            #expect(fileNames(under: cache).count { $0.hasPrefix("part-") } == 1)
            #expect(try program.run(["fetch", feed]).status == .exited(0))
        }

        private func contents(of path: String) -> String {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return "" }
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(descriptor, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }
}
