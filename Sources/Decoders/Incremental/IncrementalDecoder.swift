/// Decodes a file that comes in pieces, whenever there is more to see, and as a whole at its end.
///
///     var decoder = IncrementalDecoder(options: options)
///     for await chunk in chunks {
///         guard let image = decoder.append(chunk) else { continue }
///         show(image)
///         if image.isFinal { return }
///     }
///     show(try decoder.finish())
///
/// Keeps all bytes, and decodes on the thread that hands them in.
public struct IncrementalDecoder: Sendable {
    /// What has come.
    public private(set) var bytes: [UInt8] = []
    /// The last image made of it; nil if there is nothing to see yet.
    public private(set) var image: DecodedImage?

    private let options: DecodingOptions
    private let registry: DecoderRegistry
    private let expected: Int?
    private var schedule: DecodingSchedule
    /// What the decode of all bytes gave, and how many they were.
    private var whole: (byteCount: Int, result: Result<DecodedImage, ImageDecodingError>)?

    /// Makes a decoder for a file of `expected` bytes, if that is known.
    ///
    /// Previews are decoded with `options` too, but accept truncation in any case.
    public init(
        options: DecodingOptions,
        registry: DecoderRegistry = .standard,
        expected: Int? = nil
    ) {
        self.options = options
        self.registry = registry
        self.expected = expected
        schedule = DecodingSchedule(
            targetSize: options.targetSize,
            contentMode: options.contentMode,
            acceptsThumbnail: options.acceptsThumbnail
        )
    }

    /// Takes in the next bytes; returns an image if they were worth a decode and gave one.
    ///
    /// That is a preview, or a final image (`DecodedImage.isFinal`): one that more bytes would not
    /// change, or, with the last of the `expected` bytes, what `finish` returns. After a final image
    /// nothing is decoded any more. Nil is no failure: what is wrong with a file says `finish`.
    /// Blocks for as long as the decode takes.
    public mutating func append(_ chunk: [UInt8]) -> DecodedImage? {
        let wasWhole = bytes.count >= expected ?? .max
        bytes += chunk
        schedule.advance(to: bytes, of: expected)
        guard image?.isFinal != true else { return nil }
        if !wasWhole, bytes.count >= expected ?? .max { return try? finish() }
        guard schedule.gain > .nothing else { return nil }
        schedule.noteDecode()
        var options = options
        options.acceptsTruncation = true
        // An error here may be for want of the rest.
        guard let preview = try? registry.decode(bytes, options: options) else { return nil }
        image = preview
        return preview
    }

    /// Decodes the file, of which no more bytes come.
    ///
    /// Returns and throws what `DecoderRegistry.decode` does for `bytes` with the options given, so
    /// damage and missing bytes are errors even if a preview was final before. Decodes once: further
    /// calls, and the call after `append` has decoded all `expected` bytes, return the same. Blocks
    /// for as long as the decode takes.
    public mutating func finish() throws(ImageDecodingError) -> DecodedImage {
        if let whole, whole.byteCount == bytes.count { return try whole.result.get() }
        let result: Result<DecodedImage, ImageDecodingError>
        do throws(ImageDecodingError) {
            result = .success(try registry.decode(bytes, options: options))
        } catch {
            result = .failure(error)
        }
        whole = (bytes.count, result)
        image = try result.get()
        return try result.get()
    }
}
