public import Decoders

/// The result of decoding some bytes.
public enum DecodingResult: Equatable, Sendable {
    /// They are a picture.
    case image(DecodedImage)
    /// They cannot be decoded, for this reason.
    case error(ImageDecodingError)

    /// Decodes; what any result promises is checked on the way.
    init(
        _ decoder: some ImageDecoder,
        _ bytes: [UInt8],
        _ options: DecodingOptions
    ) throws(BrokenContract) {
        do throws(ImageDecodingError) {
            self = .image(try decoder.decode(bytes, options: options))
        } catch {
            self = .error(error)
        }
        try check(decoder, bytes, options)
    }

    /// The pixels of the image, or nil.
    var pixels: [UInt8]? {
        guard case .image(let image) = self else { return nil }
        return image.pixels.bytes
    }

    /// The most that any channel of any pixel differs by; as much as can be if not both are
    /// pictures of one size.
    func difference(from other: DecodingResult) -> Int {
        differences(from: other).last ?? 255
    }

    /// Returns the median difference of the color channels; alpha, a quarter of the channels, does
    /// not differ.
    func medianDifference(from other: DecodingResult) -> Int {
        let differences = differences(from: other)
        return differences.isEmpty ? 255 : differences[differences.count * 5 / 8]
    }

    /// In rising order; none if not both are pictures of one size.
    private func differences(from other: DecodingResult) -> [Int] {
        guard case .image(let one) = self, case .image(let two) = other,
            one.pixels.size == two.pixels.size
        else { return [] }
        return zip(one.pixels.bytes, two.pixels.bytes).map { abs(Int($0) - Int($1)) }.sorted()
    }

    /// A picture or an error, in a few words.
    public var summary: String {
        switch self {
        case .image(let image): "picture of \(image.pixels.size)"
        case .error(let error): error.description
        }
    }

    private func check(
        _ decoder: some ImageDecoder,
        _ bytes: [UInt8],
        _ options: DecodingOptions
    ) throws(BrokenContract) {
        switch self {
        case .image(let image): try Self.check(image, decoder, bytes, options)
        case .error(let error): try Self.check(error)
        }
    }

    /// A picture is what the header says, at the size that was asked for.
    private static func check(
        _ image: DecodedImage,
        _ decoder: some ImageDecoder,
        _ bytes: [UInt8],
        _ options: DecodingOptions
    ) throws(BrokenContract) {
        guard let properties = try? decoder.probe(bytes) else {
            throw BrokenContract("decoded a picture whose header can't be read")
        }
        try require(image.properties == properties, "\(image.properties) is not \(properties)")
        let size =
            options.targetSize.map { properties.size.scaled(into: $0, mode: options.contentMode) }
            ?? properties.size
        try require(image.pixels.size == size, "\(image.pixels.size) instead of \(size)")
        guard !image.pixels.hasAlpha else { return }
        let alphas = stride(from: 3, to: image.pixels.bytes.count, by: 4)
        let isOpaque = image.pixels.bytes.withUnsafeBufferPointer { bytes in
            alphas.allSatisfy { bytes[$0] == 255 }
        }
        try require(isOpaque, "transparent pixels in a picture that has none")
    }

    /// An error gives its reason in printable words: it is shown in a cell of a terminal.
    private static func check(_ error: ImageDecodingError) throws(BrokenContract) {
        let reason =
            switch error {
            case .corrupt(_, let reason), .unsupportedFeature(_, let reason): reason
            default: error.description
            }
        try require(!reason.isEmpty, "\(error) gives no reason")
        let isPrintable = reason.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }
        try require(isPrintable || error.isLimit, "\(error) can't be printed")
        try require(error != .cancelled, "cancelled without a request")
    }
}
