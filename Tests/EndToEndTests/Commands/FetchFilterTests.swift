import DemoServer
import Feeds
import Foundation
import Glibc
import PropertyRuns
import TerminalUI
import Testing

extension EndToEnd {
    /// `fetch` between pipes.
    @Suite struct FetchFilterTests {
        private let program = TestProgram()

        private func shell(_ script: String) throws -> ProgramRun {
            try ProgramRun(
                "/bin/sh",
                ["-c", script],
                environment: program.environment(adding: ["P": program.path])
            )
        }

        @Test func `the first image is loaded while the list is still being written`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let fifo = "\(program.home)/fifo"
            #expect(mkfifo(fifo, 0o600) == 0)

            // The list ends only after its first report has arrived.
            let run = try shell(
                """
                { echo '\(server.url(1))'; cat '\(fifo)' >/dev/null; echo '\(server.url(2))'; } |
                    $P fetch --jsonl - | { read -r line; : >'\(fifo)'; echo "$line"; cat; }
                """
            )

            #expect(run.status == .exited(0))
            #expect(Set(try run.reports().keys) == [server.url(1), server.url(2)])
        }

        @Test func `each JSON Lines entry returns its fields, one line each, in order`()
            throws
        {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let lines = (1...60).map {
                #"{"key":"k\#($0)","image":{"src":"\#(server.url($0 % 20 + 1))"},"n":[\#($0)]}"#
            }
            let list = try program.write((lines.joined(separator: "\n")).utf8, to: "list.jsonl")

            // A server in a test that is kept waiting must not be asked twice.
            let patient = ["--timeout", "100"]
            let run = try program.run(
                ["fetch", "--jsonl", "--ordered", "--url-key", "image.src", list] + patient
            )

            let objects = try run.lines.map { line in
                try #require(
                    JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                )
            }
            #expect(objects.map { $0["key"] as? String } == (1...60).map { "k\($0)" })
            #expect(objects.map { ($0["n"] as? [Int])?.first } == (1...60).map { $0 })
            #expect(objects.allSatisfy { $0["status"] as? String == "ok" })
            #expect(server.counters.requests == 20)
        }

        @Test func `a closed reader ends the program without a message`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let list = try program.feed((1...100).map { server.url($0) })

            // Standard input stays open: nothing waits for its end.
            let run = try shell(
                """
                mkfifo '\(program.home)/open'; { cat '\(list)'; cat '\(program.home)/open'; } |
                    { $P fetch --jsonl - ; echo "ended $?" >&2; : >'\(program.home)/open'; } | head -n 3
                """
            )

            #expect(run.lines.count == 3)
            // By SIGPIPE, as a filter, or by itself with 1.
            #expect(["ended 141\n", "ended 1\n"].contains(run.errors))
        }

        @Test func `a signal ends the program although its input stays open`() throws {
            defer { program.remove() }
            let run = try shell(
                """
                mkfifo '\(program.home)/open'; exec 3<>'\(program.home)/open'
                $P fetch --jsonl - <&3 & sleep 0.5; kill -TERM $!; wait $!; echo "ended $?"
                """
            )

            #expect(run.text == "ended 143\n")
        }

        @Test func `a killed run is resumed: each entry is reported once, and none is lost`() throws
        {
            let server = try PictureServer(count: 300)
            defer {
                server.stop()
                program.remove()
            }
            let list = try program.feed((1...300).map { server.url($0, query: "latency=5") })
            let done = "\(program.home)/done.jsonl"
            var runs = 0
            let killCount = PropertyRuns.isSanitized ? 2 : 8

            // The program is killed each time after some more lines, while it writes, and finally
            // runs to its end.
            while runs < killCount {
                runs += 1
                _ = try shell(
                    """
                    before=$(cat '\(done)' 2>/dev/null | wc -l)
                    $P fetch --jsonl --resume '\(done)' '\(list)' >>'\(done)' &
                    while [ "$(cat '\(done)' | wc -l)" -lt $((before + 25)) ] && kill -0 $!; do sleep 0.01; done
                    kill -9 $!; wait $!; printf '{"status":"ok","url":"%s' 'http://cut' >>'\(done)'
                    """
                )
            }
            let last = try shell("$P fetch --jsonl --resume '\(done)' '\(list)' >>'\(done)'")
            let again = try shell("$P fetch --jsonl --resume '\(done)' '\(list)'")

            #expect(last.status == .exited(0))
            #expect(again.status == .exited(0) && again.output.isEmpty)
            let text = try String(contentsOfFile: done, encoding: .utf8)
            let urls = text.split(separator: "\n").compactMap { line in
                (try? JSONDecoder().decode(FetchLine.self, from: Data(line.utf8)))?.url
            }
            #expect(urls.count == 300 && Set(urls).count == 300)
        }
    }
}
