/// Decodes a file that comes in pieces, whenever there is more to see.
///
///     var decoder = IncrementalDecoder(options: options)
///     for await chunk in chunks {
///         guard let image = decoder.append(chunk) else { continue }
///         show(image)
///         if image.isFinal { break }
///     }
///
/// Keeps all bytes. Whoever has them anyway, or decodes on another thread than it receives on, asks
/// a `DecodingSchedule` instead.
public struct IncrementalDecoder: Sendable {
    /// What has come.
    public private(set) var bytes: [UInt8] = []
    /// The last picture made of it; nil if there is nothing to see yet.
    public private(set) var image: DecodedImage?

    private let options: DecodingOptions
    private let registry: DecoderRegistry
    private let expected: Int?
    private var schedule: DecodingSchedule

    /// Makes a decoder for a file of `expected` bytes, if that is known.
    public init(
        options: DecodingOptions,
        registry: DecoderRegistry = .standard,
        expected: Int? = nil
    ) {
        var options = options
        options.acceptsTruncation = true
        self.options = options
        self.registry = registry
        self.expected = expected
        schedule = DecodingSchedule(
            targetSize: options.targetSize,
            contentMode: options.contentMode
        )
    }

    /// Takes in the next bytes; returns a picture if they were worth a decode and gave one.
    ///
    /// Blocks for as long as the decode takes. Once a picture is final nothing is decoded any more.
    public mutating func append(_ chunk: [UInt8]) -> DecodedImage? {
        bytes += chunk
        schedule.advance(to: bytes, of: expected)
        guard image?.isFinal != true, schedule.gain > .nothing else { return nil }
        schedule.noteDecode()
        // What is wrong with the file is said by who decodes it as a whole.
        guard let next = try? registry.decode(bytes, options: options) else { return nil }
        image = next
        return next
    }
}
