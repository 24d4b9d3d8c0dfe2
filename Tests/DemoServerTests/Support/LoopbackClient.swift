import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A client that speaks bytes: what it received, and how the connection ended.
final class LoopbackClient: Sendable {
    enum Ending: Equatable {
        case closed
        case reset
    }

    private let channel: any Channel
    private let collector: Collector

    private init(channel: any Channel, collector: Collector) {
        self.channel = channel
        self.collector = collector
    }

    static func connect(port: Int) async throws -> LoopbackClient {
        let group = MultiThreadedEventLoopGroup.singleton
        let eventLoop = group.next()
        let collector = Collector(ended: eventLoop.makePromise())
        let channel = try await ClientBootstrap(group: eventLoop)
            .channelInitializer { $0.pipeline.addHandler(collector) }
            .connect(host: "127.0.0.1", port: port).get()
        return LoopbackClient(channel: channel, collector: collector)
    }

    func send(_ uri: String, headers: [String] = []) async throws {
        let lines = ["GET \(uri) HTTP/1.1", "Host: demo"] + headers + ["", ""]
        try await channel.writeAndFlush(ByteBuffer(string: lines.joined(separator: "\r\n")))
    }

    /// Waits until `count` bytes are there.
    func bytes(atLeast count: Int) async throws -> [UInt8] {
        try await collector.bytes(atLeast: count, on: channel.eventLoop).get()
    }

    /// Waits for the end of the connection.
    func ending() async throws -> (bytes: [UInt8], ending: Ending) {
        let ending = try await collector.ended.futureResult.get()
        return (collector.received, ending)
    }

    /// One request on a connection of its own.
    static func get(_ uri: String, port: Int) async throws -> Answer {
        let client = try await connect(port: port)
        try await client.send(uri, headers: ["Connection: close"])
        return Answer(bytes: try await client.ending().bytes)
    }

    func close() async throws {
        try await channel.close()
    }
}

/// Keeps what arrives; its state is locked, for tests look at it from their own threads.
final class Collector: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private struct State {
        var bytes: [UInt8] = []
        var wasReset = false
        var waiters: [(count: Int, promise: EventLoopPromise<[UInt8]>)] = []
    }

    let ended: EventLoopPromise<LoopbackClient.Ending>
    private let state = NIOLockedValueBox(State())

    init(ended: EventLoopPromise<LoopbackClient.Ending>) {
        self.ended = ended
    }

    var received: [UInt8] { state.withLockedValue { $0.bytes } }

    func bytes(atLeast count: Int, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]> {
        let promise = eventLoop.makePromise(of: [UInt8].self)
        state.withLockedValue { $0.waiters.append((count, promise)) }
        serveWaiters()
        return promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let arrived = unwrapInboundIn(data)
        state.withLockedValue { $0.bytes += Array(arrived.readableBytesView) }
        serveWaiters()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        state.withLockedValue { $0.wasReset = true }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        let (wasReset, waiters) = state.withLockedValue { state in
            defer { state.waiters = [] }
            return (state.wasReset, state.waiters)
        }
        for waiter in waiters { waiter.promise.fail(ChannelError.eof) }
        ended.succeed(wasReset ? .reset : .closed)
    }

    private func serveWaiters() {
        let (ready, bytes) = state.withLockedValue { state in
            let ready = state.waiters.filter { $0.count <= state.bytes.count }
            state.waiters.removeAll { $0.count <= state.bytes.count }
            return (ready, state.bytes)
        }
        for waiter in ready { waiter.promise.succeed(bytes) }
    }
}
