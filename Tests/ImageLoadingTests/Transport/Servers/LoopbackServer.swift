import Foundation
import Glibc
import ImageLoading
import SystemSupport

/// An HTTP/1.1 server that performs the steps that a test specifies for each path, byte by byte,
/// valid or not.
///
/// One thread accepts, one thread serves each connection.
final class LoopbackServer: Sendable {
    /// One step of the response to a request.
    enum Step: Sendable {
        case send([UInt8])
        /// Waits until the test opens the gate.
        case hold(Turnstile)
        /// Reads until the client has closed the connection.
        case awaitClose
        /// Sends a piece again and again until the client has closed the connection.
        case sendForever([UInt8])
        /// The same, with a pause of 50 ms after each piece.
        case drip([UInt8])
        /// Writes to the log that this point was reached.
        case mark
        case close
    }

    let port: Int
    let log = ServerLog()
    private let listener: Int32

    /// Creates a server that responds according to the path, or the whole URL if it acts as a
    /// proxy.
    convenience init(_ routes: [String: [Step]]) {
        self.init { request in
            let words = request.split(separator: " ")
            return routes[words.count > 1 ? String(words[1]) : ""] ?? Step.missing
        }
    }

    /// Creates a server that responds according to the head of the request.
    init(answer: @escaping @Sendable (String) -> [Step]) {
        (listener, port) = Self.listen()
        let (log, file) = (log, listener)
        Thread.detachNewThread { Self.acceptAll(file, answer, log) }
    }

    deinit {
        // Wakes the accepting thread, which closes the socket.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Returns a listening socket on loopback, and its port.
    static func listen() -> (file: Int32, port: Int) {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                precondition(bind(file, raw, size) == 0 && Glibc.listen(file, 128) == 0)
                precondition(getsockname(file, raw, &size) == 0)
            }
        }
        return (file, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func acceptAll(
        _ listener: Int32,
        _ answer: @escaping @Sendable (String) -> [Step],
        _ log: ServerLog
    ) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            log.note { $0.acceptedCount += 1 }
            Thread.detachNewThread { serve(connection, answer, log) }
        }
        close(listener)
    }

    private static func serve(
        _ connection: Int32,
        _ answer: @Sendable (String) -> [Step],
        _ log: ServerLog
    ) {
        defer { close(connection) }
        while let request = readRequest(connection) {
            log.note { $0.requests.append(request) }
            for step in answer(request) {
                guard perform(step, connection, log) else { return }
            }
        }
        log.note { $0.closedByClientCount += 1 }
    }

    /// Performs a step; returns false if the connection has ended.
    private static func perform(_ step: Step, _ connection: Int32, _ log: ServerLog) -> Bool {
        switch step {
        case .send(let bytes): return sendAll(bytes, connection)
        case .hold(let gate): gate.wait()
        case .mark: log.note { $0.markCount += 1 }
        case .close: return false
        case .awaitClose:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            log.note { $0.closedByClientCount += 1 }
            return false
        case .sendForever(let bytes):
            while sendAll(bytes, connection) {}
            log.note { $0.closedByClientCount += 1 }
            return false
        case .drip(let bytes):
            var client = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            while sendAll(bytes, connection), poll(&client, 1, 50) == 0 {}
            log.note { $0.closedByClientCount += 1 }
            return false
        }
        return true
    }

    private static func sendAll(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Returns the head of the next request, or nil if the client has closed the connection.
    private static func readRequest(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Blocks a server thread until the test lets it continue.
final class Turnstile: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}

/// The events that the server has recorded.
final class ServerLog: Sendable {
    struct Entries: Sendable {
        var acceptedCount = 0
        var closedByClientCount = 0
        var markCount = 0
        var requests: [String] = []
    }

    private struct Waiter {
        let isMet: @Sendable (Entries) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Protected((entries: Entries(), waiters: [Waiter]()))

    var entries: Entries { state.withLock { $0.entries } }

    func note(_ change: (inout Entries) -> Void) {
        let met = state.withLock { state in
            change(&state.entries)
            let entries = state.entries
            let met = state.waiters.filter { $0.isMet(entries) }
            state.waiters.removeAll { $0.isMet(entries) }
            return met.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }

    func wait(until isMet: @escaping @Sendable (Entries) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetNow = state.withLock { state in
                if isMet(state.entries) { return true }
                state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                return false
            }
            if isMetNow { continuation.resume() }
        }
    }
}
