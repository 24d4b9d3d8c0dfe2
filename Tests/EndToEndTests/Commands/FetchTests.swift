import DemoServer
import Feeds
import FoundationEssentials
import TerminalUI
import Testing

extension EndToEnd {
    @Suite struct FetchTests {
        private let program = TestProgram()

        @Test func `fetch prints an object for each entry and ends with 1 if one failed`()
            throws
        {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let missing = server.url(3, query: "status=404")
            let lines = server.lines(1...2) + server.lines(1...2) + ["\(missing) Missing"]
            let run = try program.run(["fetch", "--jsonl", program.feed(lines)])

            let reports = try run.reports()
            #expect(run.status == .exited(1) && run.errors.isEmpty)
            #expect(Set(reports.keys) == [server.url(1), server.url(2), missing])
            #expect(run.lines.count == 5)
            #expect(server.counters.requests == 3)

            let picture = try #require(reports[server.url(1)])
            #expect(picture.status == "ok" && picture.source == "network" && picture.http == 200)
            #expect(picture.format == "png" && picture.width == 80 && picture.height ?? 0 > 0)
            #expect(picture.bytes ?? 0 > 0 && picture.ms >= 0 && picture.error == nil)

            let failure = try #require(reports[missing]?.error)
            #expect(reports[missing]?.status == "failed" && reports[missing]?.http == 404)
            #expect(failure.stage == "download" && failure.class == "permanent")
            #expect(!failure.retryable && failure.message == "404 not found")
        }

        @Test func `a second fetch reads the disk, not the server`() throws {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let feed = try program.feed(server.lines(1...3))
            #expect(try program.run(["fetch", feed]).status == .exited(0))

            let again = try program.run(["fetch", "--jsonl", feed])

            #expect(again.status == .exited(0))
            #expect(try again.reports().values.map(\.source) == ["disk", "disk", "disk"])
            #expect(server.counters.requests == 3)
        }

        @Test func `a damaged image is reported as incomplete, or as failed with --strict`()
            throws
        {
            let server = try PictureServer()
            defer {
                server.stop()
                program.remove()
            }
            let damaged = server.url(1, query: "corrupt=1")
            let feed = try program.feed([damaged, server.url(2)])

            let run = try program.run(["fetch", "--jsonl", feed])
            let inWords = try program.run(["fetch", feed])
            let strict = try program.run(["fetch", "--jsonl", "--strict", feed])

            let reports = try run.reports()
            #expect(run.status == .exited(0) && run.errors.isEmpty)
            #expect(reports[damaged]?.status == "ok" && reports[damaged]?.complete == false)
            #expect(reports[damaged]?.reason?.hasPrefix("corrupt PNG: ") == true)
            let sound = try #require(reports[server.url(2)])
            #expect(sound.complete == nil && sound.reason == nil)
            #expect(inWords.status == .exited(0))
            #expect(inWords.errors.contains("\(damaged): incomplete: corrupt PNG: "))
            #expect(inWords.lines.last?.hasSuffix("0 failed, 1 incomplete") == true)
            let refused = try strict.reports()
            #expect(strict.status == .exited(1))
            #expect(refused[damaged]?.status == "failed" && refused[damaged]?.complete == nil)
            #expect(refused[damaged]?.error?.message.hasPrefix("corrupt PNG: ") == true)
            #expect(refused[server.url(2)]?.status == "ok")
        }

        @Test
        func `a refresh whose server is gone keeps the images and reports them as stale`()
            throws
        {
            let server = try PictureServer()
            defer { program.remove() }
            let feed = try program.feed(server.lines(1...2))
            #expect(try program.run(["fetch", feed]).status == .exited(0))
            server.stop()

            let refresh = try program.run(["fetch", "--refresh", "--jsonl", feed])
            let inWords = try program.run(["fetch", "--refresh", feed])

            #expect(refresh.status == .exited(0))
            #expect(try refresh.reports().values.map(\.stale) == [true, true])
            #expect(inWords.lines.last?.hasSuffix("0 failed, 2 stale (no response)") == true)
        }
    }
}
