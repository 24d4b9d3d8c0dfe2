/// What holds of any bytes at all; kept by the fuzzers and by the replay of their corpus.
public struct Contract: Sendable {
    /// What it is called: `JPEG`, `PNGFast`.
    public let name: String
    private let body: @Sendable ([UInt8]) throws(BrokenContract) -> Void

    /// Names what `body` checks.
    public init(
        _ name: String,
        body: @escaping @Sendable ([UInt8]) throws(BrokenContract) -> Void
    ) {
        self.name = name
        self.body = body
    }

    /// Throws if it does not hold of these bytes.
    public func check(_ bytes: [UInt8]) throws(BrokenContract) {
        try body(bytes)
    }

    /// All that decoders promise.
    public static let decoding = [
        jpeg, png, jpegFast, pngFast, incremental, exif, profile,
    ]
}

/// A promise that was not kept.
public struct BrokenContract: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was promised and what came instead.
    public let description: String

    /// Says what broke.
    public init(_ description: String) {
        self.description = description
    }
}

/// Throws what `description` says unless `condition` holds.
public func require(
    _ condition: Bool,
    _ description: @autoclosure () -> String
) throws(BrokenContract) {
    guard condition else { throw BrokenContract(description()) }
}
