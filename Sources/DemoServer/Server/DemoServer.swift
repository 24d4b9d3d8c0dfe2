import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// Why a demo server did not start.
public enum DemoServerError: Error, CustomStringConvertible {
    /// The port can't be listened on; the text is the system's reason.
    case cannotListen(port: Int, reason: String)

    /// One line for the user.
    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "can't listen on 127.0.0.1:\(port): \(reason)"
        }
    }
}

/// An HTTP server on loopback that makes its own images and misbehaves when asked to.
///
/// It has one event loop thread and a few threads that make images. All methods may be called
/// from any thread but its own.
public final class DemoServer: Sendable {
    /// The port it listens on.
    public let port: Int

    private let configuration: DemoConfiguration
    private let site: DemoSite
    private let group: MultiThreadedEventLoopGroup
    private let pool: NIOThreadPool
    private let isStopped = NIOLockedValueBox(false)

    private init(
        port: Int,
        site: DemoSite,
        group: MultiThreadedEventLoopGroup,
        pool: NIOThreadPool
    ) {
        self.port = port
        configuration = site.configuration
        self.site = site
        self.group = group
        self.pool = pool
    }

    /// Starts a server; when this returns, it accepts connections.
    ///
    /// Blocks for the moment that takes. Throws when the port is taken. Every server started has to
    /// be stopped.
    public static func start(
        _ configuration: DemoConfiguration
    ) throws(DemoServerError)
        -> DemoServer
    {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let pool = NIOThreadPool(numberOfThreads: min(8, max(1, System.coreCount)))
        pool.start()
        let store = DemoImageStore(pool: pool, byteLimit: 64 << 20)
        let site = DemoSite(configuration: configuration) { store.body(for: $0, on: $1) }
        do {
            let channel = try bootstrap(group: group, site: site)
                .bind(host: "127.0.0.1", port: configuration.port).wait()
            let port = channel.localAddress?.port ?? configuration.port
            return DemoServer(port: port, site: site, group: group, pool: pool)
        } catch {
            shutDown(group: group, pool: pool)
            let reason = (error as? IOError)?.errnoCode == EADDRINUSE ? "in use" : "\(error)"
            throw .cannotListen(port: configuration.port, reason: reason)
        }
    }

    /// The address of its feed.
    public var feedURL: String { "http://127.0.0.1:\(port)/feed.txt" }

    /// The feed itself, with addresses relative to `feedURL`.
    public var feedText: String { DemoFeed.text(configuration) }

    /// What it has seen so far.
    public var counters: DemoCounters { site.counters.withLockedValue { $0 } }

    /// Closes all connections and ends its threads; blocks until they have ended.
    public func stop() {
        let isFirst = isStopped.withLockedValue { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        Self.shutDown(group: group, pool: pool)
    }

    private static func bootstrap(
        group: MultiThreadedEventLoopGroup,
        site: DemoSite
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(DemoConnection(site: site))
                }
            }
    }

    /// Failing to end a thread leaves nothing to do about it.
    private static func shutDown(group: MultiThreadedEventLoopGroup, pool: NIOThreadPool) {
        try? pool.syncShutdownGracefully()
        try? group.syncShutdownGracefully()
    }
}

/// What a demo server offers and how well it behaves; a request's query can override the rest.
public struct DemoConfiguration: Hashable, Sendable {
    /// How many images the feed lists.
    public var count: Int
    /// How long each answer takes to begin.
    public var latency: Duration
    /// Body bytes a second on each connection; nil is as fast as the client reads.
    public var bandwidth: Int?
    /// The share of images that fail, 0 to 1; which ones and how follows from the seed.
    public var failureRate: Double
    /// What the images and the failures are drawn from.
    public var seed: UInt64
    /// The TCP port on 127.0.0.1; 0 takes any free one.
    public var port: Int

    /// Makes a configuration; without arguments: 1,000 images, no delays, no failures, any port.
    public init(
        count: Int = 1000,
        latency: Duration = .zero,
        bandwidth: Int? = nil,
        failureRate: Double = 0,
        seed: UInt64 = 1,
        port: Int = 0
    ) {
        self.count = max(0, count)
        self.latency = max(.zero, latency)
        self.bandwidth = bandwidth.map { max(1, $0) }
        self.failureRate = failureRate
        self.seed = seed
        self.port = port
    }
}
