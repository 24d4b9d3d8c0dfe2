import Decoders
import Glibc
import Testing

extension EndToEnd {
    /// `fetch` and what sites want of programs, with a real nginx.
    @Suite struct FetchCourtesyTests {
        private let program = TestProgram()

        /// A site with three pictures, of which one is not for programs by its rules and one by its head.
        private func server(_ location: String = "") throws -> NginxRun {
            let tag = "location = /tagged.png { add_header X-Robots-Tag \"noai, noimageai\"; }"
            let server = try NginxRun(program, locations: "\(tag) \(location)")
            let size = PixelSize(width: 8, height: 8)
            let bytes = [UInt8](repeating: 255, count: size.pixelCount * 4)
            let picture = try PNGEncoder.encode(
                PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
            )
            for name in ["open.png", "closed.png", "tagged.png"] {
                try program.write(picture, to: "www/\(name)")
            }
            return server
        }

        private func fetch(_ server: NginxRun, _ options: String...) throws -> ProgramRun {
            let urls = ["open.png", "closed.png", "tagged.png"].map(server.url)
            let list = try program.write(urls.joined(separator: "\n").utf8, to: "list.txt")
            return try program.run(["fetch", "--jsonl", list] + options)
        }

        @Test func `robots.txt and X-Robots-Tag are obeyed on request`()
            throws
        {
            let server = try server()
            defer {
                server.stop()
                program.remove()
            }
            try program.write(
                "User-agent: termgallery\nDisallow: /closed\n".utf8,
                to: "www/robots.txt"
            )

            let run = try fetch(server, "--robots", "always")

            let reports = try run.reports()
            #expect(reports[server.url("open.png")]?.status == "ok")
            let closed = reports[server.url("closed.png")]?.error
            let tagged = reports[server.url("tagged.png")]?.error
            #expect(closed?.class == "policy" && tagged?.class == "policy")
            #expect(closed?.message.contains("/robots.txt") == true)
            #expect(tagged?.message == "forbidden for automated programs (X-Robots-Tag: noai)")
            let asked = server.requests.map { $0.prefix { $0 != " " } }
            #expect(asked.count { $0 == "/robots.txt" } == 1 && asked.first == "/robots.txt")
            #expect(!asked.contains("/closed.png"))
        }

        @Test(arguments: ["", "location = /robots.txt { return 204; }"])
        func `an empty robots.txt allows everything`(location: String) throws {
            let server = try server(location)
            defer {
                server.stop()
                program.remove()
            }
            try program.write([UInt8](), to: "www/robots.txt")

            let run = try fetch(server, "--robots", "always")

            #expect(try run.reports()[server.url("closed.png")]?.status == "ok")
            #expect(server.requests.contains { $0.hasPrefix("/robots.txt ") })
        }

        @Test func `a few images of one site are loaded without reading robots.txt`() throws {
            let server = try server()
            defer {
                server.stop()
                program.remove()
            }
            try program.write("User-agent: *\nDisallow: /\n".utf8, to: "www/robots.txt")

            let run = try fetch(server)

            #expect(run.status == .exited(0))
            #expect(server.requests.allSatisfy { !$0.hasPrefix("/robots.txt") })
        }

        @Test func `an image with an entity tag and no date is revalidated in each session`() throws
        {
            let server = try server("location = /open.png { add_header Last-Modified \"\"; }")
            defer {
                server.stop()
                program.remove()
            }

            for _ in 0..<3 { #expect(try fetch(server).reports().count == 3) }

            let asked = server.requests.map { $0.split(separator: " ") }
                .filter { $0.first == "/open.png" }
            #expect(asked.map { $0[1] } == ["200", "304", "304"])
            #expect(asked.map(\.count) == [2, 3, 3])
        }

        @Test func `another user agent has its own rules`() throws {
            let server = try server()
            defer {
                server.stop()
                program.remove()
            }
            try program.write("User-agent: gatherer\nDisallow: /\n".utf8, to: "www/robots.txt")

            let run = try fetch(
                server,
                "--robots",
                "always",
                "--user-agent",
                "Gatherer/2 (+mailto:me@example.org)"
            )

            #expect(try run.reports().values.allSatisfy { $0.status == "failed" })
            #expect(server.requests.count == 1)
        }
    }
}
