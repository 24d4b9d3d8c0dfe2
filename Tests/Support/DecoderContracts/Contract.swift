import Decoders

/// A property that holds for all inputs; it is checked by the fuzzers and by the replay of their
/// corpus.
public struct Contract: Sendable {
    /// The name, such as `JPEG` or `PNGFast`.
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
    public static let decoding =
        [jpeg, png, jpegFast, pngFast, incremental, damage, exif, profile] + formats
}

/// A promise that was not kept.
public struct BrokenContract: Error, Hashable, Sendable, CustomStringConvertible {
    /// The promised and the actual behavior.
    public let description: String

    /// Creates an error with a description.
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

extension Contract {
    /// Any bytes are decoded to a picture or to an error, whole and reduced, with and without
    /// previews; a preview of a file that is in order is the picture.
    public static let jpeg = Contract("JPEG") { (bytes) throws(BrokenContract) in
        try checkDecoding(JPEGDecoder(), bytes)
        try checkHeader(bytes)
    }

    /// As for JPEG.
    public static let png = Contract("PNG") { (bytes) throws(BrokenContract) in
        try checkDecoding(PNGDecoder(), bytes)
    }

    /// Too few pixels for the DC path, whose previews may differ from the picture.
    private static let limits = limits(pixelCount: 99_999)

    /// Limits that keep expensive inputs cheap.
    ///
    /// There is no time limit: the fuzzer itself detects hangs, and results must not depend on the
    /// load of the machine.
    static func limits(pixelCount: Int) -> DecodingLimits {
        var limits = DecodingLimits(maximumPixelCount: pixelCount, maximumByteCount: 8 << 20)
        limits.maximumDuration = .seconds(3_600)
        return limits
    }

    /// A preview may be transparent, and averages of light that is weighted by coverage round
    /// otherwise.
    static let previewTolerance = 1

    private static let targets: [(size: PixelSize?, mode: ImageContentMode)] = [
        (nil, .fit), (PixelSize(width: 24, height: 20), .fill),
        (PixelSize(width: 5, height: 7), .fit),
    ]

    /// Checks that our own header reader agrees with libjpeg, if libjpeg accepts the header.
    private static func checkHeader(_ bytes: [UInt8]) throws(BrokenContract) {
        let plain = bytes.withUnsafeBufferPointer { JPEGDecoder().plainHeader($0) }
        guard let plain, let probed = try? JPEGDecoder().probe(bytes) else { return }
        try require(plain == probed, "a header is \(plain), by libjpeg \(probed)")
    }

    private static func checkDecoding(
        _ decoder: some ImageDecoder,
        _ bytes: [UInt8]
    ) throws(BrokenContract) {
        let isInOrder = decoder.format == .png || JPEGOutline(bytes).isInOrder
        for target in targets {
            var options = DecodingOptions(
                targetSize: target.size,
                contentMode: target.mode,
                limits: limits
            )
            let strict = try DecodingResult(decoder, bytes, options)
            options.acceptsTruncation = true
            let preview = try DecodingResult(decoder, bytes, options)
            guard case .image = strict, isInOrder else { continue }
            let difference = strict.difference(from: preview)
            try require(
                difference <= previewTolerance,
                "\(strict.summary), the preview \(preview.summary): \(difference) levels apart"
            )
        }
    }
}
