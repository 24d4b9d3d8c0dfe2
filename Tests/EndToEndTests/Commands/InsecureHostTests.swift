import Decoders
import Testing

extension EndToEnd {
    /// `fetch --insecure-host`, with a real nginx and a certificate that nobody has signed.
    @Suite struct InsecureHostTests {
        private let program = TestProgram()
        private let port = NginxRun.freePort()

        private func url(_ name: String, host: String = "127.0.0.1") -> String {
            "https://\(host):\(port)/\(name)"
        }

        /// A server with two pictures and two redirects, which refuses cookies and logins.
        private func server() throws -> NginxRun {
            let openssl = try BackgroundRun(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "2", "-subj", "/CN=nobody", "-keyout",
                    "\(program.home)/key.pem", "-out", "\(program.home)/certificate.pem",
                ],
                environment: [:]
            )
            try #require(openssl.status() == .exited(0), "openssl failed: run make setup")
            let server = try NginxRun(
                program,
                locations: """
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(program.home)/certificate.pem;
                    ssl_certificate_key \(program.home)/key.pem;
                    if ($http_authorization) { return 403; }
                    if ($http_cookie) { return 403; }
                    location = /hop { add_header Set-Cookie "a=1; Path=/";
                    return 302 \(url("b.png")); }
                    location = /away { return 302 \(url("a.png", host: "localhost")); }
                    """
            )
            let size = PixelSize(width: 8, height: 8)
            let bytes = [UInt8](repeating: 255, count: size.pixelCount * 4)
            let picture = try PNGEncoder.encode(
                PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
            )
            for name in ["a", "b"] { try program.write(picture, to: "www/\(name).png") }
            return server
        }

        private func fetch(_ names: [String], _ options: String...) throws -> ProgramRun {
            let list = try program.write(
                names.map { url($0) }.joined(separator: "\n").utf8,
                to: "list.txt"
            )
            let configuration = try program.write(
                "[hosts.\"127.0.0.1:\(port)\"]\nheaders = { Authorization = \"secret\" }\n".utf8,
                to: "config.toml"
            )
            return try program.run(
                ["fetch", "--jsonl", "--patience", "0", "--config", configuration, list] + options
            )
        }

        @Test func `the certificate of the host is not checked, and it receives no secrets`() throws
        {
            let server = try server()
            defer {
                server.stop()
                program.remove()
            }
            let names = ["a.png", "hop", "away"]

            let refused = try fetch(names).reports()
            let run = try fetch(names, "--insecure-host", "127.0.0.1")
            let again = try fetch(["a.png"], "--insecure-host", "127.0.0.1").reports()
            let refusedAgain = try fetch(["a.png"]).reports()

            for report in refused.values {
                #expect(report.status == "failed" && report.insecure == nil)
            }
            let reports = try run.reports()
            #expect(reports[url("a.png")]?.status == "ok")
            #expect(reports[url("hop")]?.status == "ok")
            #expect(reports.values.allSatisfy { $0.insecure == true })
            // The redirect leads to the same server under another name.
            #expect(
                reports[url("away")]?.error?.message.contains("TLS certificate not trusted") == true
            )
            let cached = again[url("a.png")]
            #expect(cached?.source == "disk" && cached?.insecure == true)
            // A run that checks certificates does not use the stored image.
            #expect(refusedAgain[url("a.png")]?.status == "failed")
        }

        @Test(arguments: ["*.example.org", "example.org:443", "https://example.org", "a/b", ""])
        func `only an exact host is accepted`(host: String) throws {
            defer { program.remove() }

            let run = try program.run(["fetch", "--insecure-host", host, "list.txt"])

            #expect(run.errors.contains("--insecure-host takes the exact name"))
        }
    }
}
