import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// The reason a demo server could not start.
public enum DemoServerError: Error, CustomStringConvertible {
    /// The server cannot listen on the port; `reason` is the system's error text.
    case cannotListen(port: Int, reason: String)

    /// A one-line message for the user.
    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "can't listen on 127.0.0.1:\(port): \(reason)"
        }
    }
}

/// An HTTP server on the loopback interface that creates its own images and can misbehave on
/// request.
///
/// The server has one event loop thread and a few threads that create images. All methods can be
/// called on any thread except the server's own threads.
public final class DemoServer: Sendable {
    /// The port on which the server listens.
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

    /// Starts a server and blocks until it accepts connections.
    ///
    /// Throws if the server can't listen on the port, for example because the port is in use. Every
    /// started server must be stopped.
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

    /// The URL of the feed.
    public var feedURL: String { "http://127.0.0.1:\(port)/feed.txt" }

    /// The text of the feed, with URLs relative to `feedURL`.
    public var feedText: String { DemoFeed.text(configuration) }

    /// The current statistics.
    public var counters: DemoCounters { site.counters.withLockedValue { $0 } }

    /// Closes all connections, stops the server's threads and waits for them to end.
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

    /// Stops the threads; errors are ignored, because nothing can be done about them.
    private static func shutDown(group: MultiThreadedEventLoopGroup, pool: NIOThreadPool) {
        try? pool.syncShutdownGracefully()
        try? group.syncShutdownGracefully()
    }
}

/// The content and behavior of a demo server.
///
/// The query of a request can override the behavior for its response.
public struct DemoConfiguration: Hashable, Sendable {
    /// The number of images in the feed.
    public var count: Int
    /// The delay before each response.
    public var latency: Duration
    /// The number of body bytes per second on each connection, or nil to send as fast as the client
    /// reads.
    public var bandwidth: Int?
    /// The fraction of images that fail, from 0 to 1.
    ///
    /// The seed determines which images fail and how.
    public var failureRate: Double
    /// The seed for the images and the failures.
    public var seed: UInt64
    /// The TCP port on 127.0.0.1; 0 selects any free port.
    public var port: Int

    /// Creates a configuration; the defaults are 1,000 images, no delays, no failures and any port.
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
