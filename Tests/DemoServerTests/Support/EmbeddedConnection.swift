import Decoders
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import DemoServer

/// One server connection without a socket, on a clock that is moved by hand.
///
/// Everything runs on the test's own thread, so tests that use it are not async.
final class EmbeddedConnection {
    let channel = EmbeddedChannel()
    let site: DemoSite
    private(set) var received: [UInt8] = []

    /// Serves `body` as every picture.
    init(
        body: [UInt8] = Array("0123456789".utf8),
        configuration: DemoConfiguration = DemoConfiguration()
    ) throws {
        site = DemoSite(configuration: configuration) { _, eventLoop in
            eventLoop.makeSucceededFuture(body)
        }
        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
        try channel.pipeline.syncOperations.addHandler(DemoConnection(site: site))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// A pipeline holds itself until its channel is closed; what is left in it doesn't matter.
    deinit {
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// Sends a GET and returns the immediate response.
    @discardableResult
    func get(_ uri: String, headers: [String] = [], method: String = "GET") throws -> Answer {
        let lines = ["\(method) \(uri) HTTP/1.1", "Host: demo"] + headers + ["", ""]
        try channel.writeInbound(ByteBuffer(string: lines.joined(separator: "\r\n")))
        return try answer()
    }

    /// Advances the clock and returns the data received meanwhile.
    @discardableResult
    func advance(_ time: TimeAmount) throws -> Answer {
        channel.embeddedEventLoop.advanceTime(by: time)
        return try answer()
    }

    /// Returns the data received since the last call.
    private func answer() throws -> Answer {
        var bytes: [UInt8] = []
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let buffer) = data { bytes += Array(buffer.readableBytesView) }
        }
        received += bytes
        return Answer(bytes: bytes)
    }

    var counters: DemoCounters { site.counters.withLockedValue { $0 } }

    /// The client goes away.
    func clientLeaves() {
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
    }
}

/// An HTTP answer as it came over the wire.
struct Answer: Equatable {
    let status: Int?
    let headers: [String: String]
    let body: [UInt8]

    init(bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 "), let end = Self.endOfHead(bytes) else {
            (status, headers, body) = (nil, [:], bytes)
            return
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self)
            .split(separator: "\r\n").map(String.init)
        status = Int(lines[0].split(separator: " ")[1])
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        self.headers = headers
        body = Array(bytes[(end + 4)...])
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var isEmpty: Bool { status == nil && body.isEmpty }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        return bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == mark }
    }
}
