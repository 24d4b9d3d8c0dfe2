/// What a demo server offers and how well it behaves; a request's query can override the rest.
public struct DemoConfiguration: Hashable, Sendable {
    /// How many pictures the feed lists.
    public var count: Int
    /// How long each answer takes to begin.
    public var latency: Duration
    /// Body bytes a second on each connection; nil is as fast as the client reads.
    public var bandwidth: Int?
    /// The share of pictures that fail, 0 to 1; which ones and how follows from the seed.
    public var failureRate: Double
    /// What the pictures and the failures are drawn from.
    public var seed: UInt64
    /// The TCP port on 127.0.0.1; 0 takes any free one.
    public var port: Int

    /// Makes a configuration; without arguments: 1,000 pictures, no delays, no failures, any port.
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
