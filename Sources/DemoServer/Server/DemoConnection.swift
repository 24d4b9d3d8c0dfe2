import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// A connection handler that answers one request at a time.
///
/// The handler reads a request, waits for the configured delay, and sends the response at the
/// configured bandwidth. Then it finishes the response, closes or resets the connection, or stops
/// sending, as planned for the response.
///
/// The handler runs on its channel's event loop. A pipelining handler in the same channel passes on
/// the next request only after the current request has been answered.
final class DemoConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let site: DemoSite
    private var head: HTTPRequestHead?
    private var isCounted = false
    private var timer: Scheduled<Void>?
    private var reply: Reply?
    private var delivery: Delivery?

    init(site: DemoSite) {
        self.site = site
    }

    func channelActive(context: ChannelHandlerContext) {
        site.count { $0.accepted() }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            begin(Exchange(head: head, site: site), context: context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        reply = nil
        delivery = nil
        uncount(aborted: true)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func begin(_ exchange: Exchange, context: ChannelHandlerContext) {
        if exchange.isCounted {
            isCounted = true
            site.count { $0.began() }
        }
        after(exchange.faults.latency, context: context) { context in
            exchange.reply(on: context.eventLoop).assumeIsolated().whenComplete { result in
                self.send(result, exchange: exchange, context: context)
            }
        }
    }

    private func send(
        _ result: Result<Reply, any Error>,
        exchange: Exchange,
        context: ChannelHandlerContext
    ) {
        guard context.channel.isActive else { return }
        let reply: Reply
        switch result {
        case .success(let made): reply = made
        case .failure(let error): reply = Reply(status: 500, text: "no image: \(error)\n")
        }
        if isCounted { site.count { $0.announced(reply.isHeadOnly ? 0 : reply.announcedLength) } }
        let byteCount = reply.isHeadOnly ? 0 : reply.body.count
        let ending = reply.isHeadOnly ? .keepOpen : reply.ending
        delivery = Delivery(
            byteCount: byteCount,
            ending: ending,
            bandwidth: exchange.faults.bandwidth,
            dripStart: reply.dripStart
        )
        self.reply = reply
        if !reply.isRaw {
            context.writeAndFlush(wrapOutboundOut(.head(exchange.head(of: reply))), promise: nil)
        }
        step(context: context)
    }

    private func step(context: ChannelHandlerContext) {
        guard let reply, let step = delivery?.next() else { return }
        switch step {
        case .send(let range, let pause):
            send(reply.body[range], pause: pause, context: context)
        case .finish: finish(context: context)
        case .close: close(context: context)
        case .reset: reset(context: context)
        case .stall: break
        }
    }

    /// Sends a chunk and continues after the kernel has accepted it.
    ///
    /// If a client does not read, only one chunk is held in memory.
    private func send(_ bytes: ArraySlice<UInt8>, pause: Duration, context: ChannelHandlerContext) {
        let buffer = context.channel.allocator.buffer(bytes: bytes)
        let written = context.eventLoop.makePromise(of: Void.self)
        write(buffer, context: context, promise: written)
        written.futureResult.assumeIsolated().whenSuccess {
            if self.isCounted { self.site.count { $0.sent(bytes.count) } }
            // A client that has received all bytes may disconnect during the pause after the last
            // chunk.
            if self.delivery?.isWhole == true { self.uncount(aborted: false) }
            guard case .endless? = self.reply?.ending, pause == .zero else {
                return self.after(pause, context: context) { self.step(context: $0) }
            }
            // With a direct call, the depth of the stack would grow with the length of the
            // response.
            context.eventLoop.assumeIsolated().execute { self.step(context: context) }
        }
    }

    /// Writes bytes of the response.
    ///
    /// If the bytes include the head of the response, they bypass the HTTP encoder.
    private func write(
        _ buffer: ByteBuffer,
        context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>
    ) {
        guard reply?.isRaw == true else {
            return context.writeAndFlush(
                wrapOutboundOut(.body(.byteBuffer(buffer))),
                promise: promise
            )
        }
        do {
            try context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
                .writeAndFlush(NIOAny(IOData.byteBuffer(buffer)), promise: promise)
        } catch {
            promise.fail(error)
        }
    }

    /// Finishes the response and closes the connection unless the request permits keeping it open.
    ///
    /// The request counts as completed before its last bytes are sent, because a client that has
    /// received them may request the counters immediately.
    private func finish(context: ChannelHandlerContext) {
        reply = nil
        delivery = nil
        uncount(aborted: false)
        let written = context.eventLoop.makePromise(of: Void.self)
        if head?.isKeepAlive != true {
            written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    private func close(context: ChannelHandlerContext) {
        uncount(aborted: false)
        context.close(promise: nil)
    }

    private func reset(context: ChannelHandlerContext) {
        uncount(aborted: false)
        guard let socket = context.channel as? any SocketOptionProvider else {
            return context.close(promise: nil)
        }
        // With a linger time of zero, the kernel sends RST when the socket is closed.
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    private func after(
        _ delay: Duration,
        context: ChannelHandlerContext,
        _ action: @escaping (ChannelHandlerContext) -> Void
    ) {
        guard delay > .zero else { return action(context) }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
            action(context)
        }
    }

    private func uncount(aborted: Bool) {
        guard isCounted else { return }
        isCounted = false
        site.count { $0.ended(aborted: aborted) }
    }
}

/// The state shared by all connections of a server.
struct DemoSite: Sendable {
    let configuration: DemoConfiguration
    /// A function that returns the bytes of an image file.
    let body: @Sendable (DemoImageStore.Key, any EventLoop) -> EventLoopFuture<[UInt8]>
    let counters = NIOLockedValueBox(DemoCounters())

    func count(_ change: (inout DemoCounters) -> Void) {
        counters.withLockedValue { change(&$0) }
    }
}
