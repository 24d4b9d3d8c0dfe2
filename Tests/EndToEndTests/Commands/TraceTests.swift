import DemoServer
import Feeds
import Glibc
import TerminalUI
import Testing

extension EndToEnd {
    @Suite struct TraceTests {
        private let program = TestProgram()

        private func lines(_ path: String) -> [Substring] {
            var bytes: [UInt8] = []
            let file = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(file, &buffer, buffer.count)
                guard count > 0 else { break }
                bytes += buffer.prefix(count)
            }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        }

        @Test func `the trace of a run has the end of every load and of the run`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let feed = server.lines(1...3) + ["\(server.url(4, query: "status=404")) Missing"]
            let path = program.home + "/trace.jsonl"

            let run = try program.run(["fetch", "--trace", path, program.feed(feed)])

            let lines = lines(path)
            #expect(run.status == .exited(1))
            #expect(!run.errors.contains("trace"))
            #expect(lines.first?.contains(#""event":"begin""#) == true)
            #expect(lines.count { $0.contains(#""event":"succeeded""#) } == 3)
            #expect(lines.count { $0.contains(#""event":"failed""#) } == 1)
            #expect(lines.last?.contains(#""event":"end""#) == true)
            #expect(lines.last?.hasSuffix(#","dropped":0}"#) == true)
        }

        @Test func `a trace that cannot be written is reported at the start`() throws {
            defer { program.remove() }

            let run = try program.run([
                "fetch", "--trace", "/nowhere/trace", program.feed(["http://127.0.0.1:1/a.png"]),
            ])

            #expect(run.status == .exited(71))
            #expect(run.errors.contains("cannot write the trace /nowhere/trace"))
        }
    }
}
