internal import Glibc

/// An HTTP server on loopback that answers every request immediately with the same body.
///
/// The server does as little as possible, so that the client is measured. It keeps connections
/// open, and runs until the process ends.
public final class OneBodyServer: Sendable {
    /// The port on which the server listens.
    public let port: UInt16

    /// Starts listening; nil if the system refuses.
    public init?(body: [UInt8], type: String) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { return nil }
        port = UInt16(bigEndian: address.sin_port)
        let head = ["HTTP/1.1 200 OK", "Content-Type: \(type)", "Content-Length: \(body.count)"]
        let answer = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        startThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                startThread { Self.serve(connection, answer) }
            }
        }
    }

    private static func serve(_ connection: Int32, _ answer: [UInt8]) {
        var (on, buffer) = (Int32(1), [UInt8](repeating: 0, count: 8192))
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        var tail: [UInt8] = []
        while true {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { break }
            tail = (tail + buffer.prefix(count)).suffix(4)
            guard tail == Array("\r\n\r\n".utf8) else { continue }
            var rest = answer[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
                guard written > 0 else { break }
                rest = rest.dropFirst(written)
            }
        }
        close(connection)
    }
}
