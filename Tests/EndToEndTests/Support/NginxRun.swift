import Glibc
import TerminalUI
import Testing

/// A real nginx that serves a folder, and logs requests and responses.
final class NginxRun {
    let port: UInt16
    private let folder: String
    private let run: BackgroundRun

    /// Serves the folder `www` of a test's home, with `locations` of its own.
    init(_ program: TestProgram, locations: String = "") throws {
        folder = program.home
        port = Self.freePort()
        let files = ["body", "proxy", "fastcgi", "uwsgi", "scgi"].map { name in
            mkdir("\(program.home)/\(name)", 0o700)
            let directive = name == "body" ? "client_body" : name
            return "\(directive)_temp_path \(program.home)/\(name);"
        }
        mkdir("\(program.home)/www", 0o700)
        try program.write(
            """
            daemon off; pid \(folder)/nginx.pid; error_log \(folder)/error.log;
            \(geteuid() == 0 ? "user root;" : "") worker_processes 1; events {}
            http { log_format asked escape=none '$uri $status $http_if_none_match';
            access_log \(folder)/access.log asked; \(files.joined(separator: " "))
            server { listen 127.0.0.1:\(port); root \(folder)/www; \(locations) } }
            """.utf8,
            to: "nginx.conf"
        )
        let places: [String] = ["/usr/sbin/nginx", "/usr/bin/nginx"]
        let found = places.first { access($0, X_OK) == 0 }
        let path = try #require(found, "nginx is missing: run make setup")
        run = try BackgroundRun(
            path,
            ["-e", "\(folder)/error.log", "-c", "\(folder)/nginx.conf"],
            environment: [:]
        )
        let (port, log) = (port, "\(folder)/error.log")
        try #require(eventually { Self.answers(port) }, "nginx does not listen: \(log)")
    }

    /// Ends it.
    func stop() {
        run.send(SIGTERM)
        _ = run.status()
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// The requests with status and If-None-Match, one per line.
    var requests: [String] {
        let descriptor = open("\(folder)/access.log", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = max(0, read(descriptor, &bytes, bytes.count))
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    private static func socketAddress(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withSocket<Result>(
        _ port: UInt16,
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        defer { close(file) }
        var address = socketAddress(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(file, $0, size) }
        }
    }

    /// Returns an unused port.
    static func freePort() -> UInt16 {
        withSocket(0) { file, address, size in
            bind(file, address, size)
            var bound = sockaddr_in()
            var length = size
            _ = withUnsafeMutablePointer(to: &bound) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(file, $0, &length)
                }
            }
            return UInt16(bigEndian: bound.sin_port)
        }
    }

    private static func answers(_ port: UInt16) -> Bool {
        withSocket(port) { file, address, size in connect(file, address, size) == 0 }
    }
}
