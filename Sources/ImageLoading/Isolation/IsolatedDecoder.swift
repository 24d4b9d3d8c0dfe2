internal import Decoders

/// A decoder whose work is done in a helper.
///
/// What it looks at itself are the first bytes of a file, in `canDecode`, and plain headers.
struct IsolatedDecoder: HeaderReader {
    let decoder: any ImageDecoder
    let helpers: DecoderHelpers
    /// Whether headers of the usual kind are read here, by code that runs no library.
    var readsPlainHeaders = true

    var format: ImageFormat { decoder.format }

    func canDecode(_ prefix: [UInt8]) -> Bool { decoder.canDecode(prefix) }

    func prepare() { decoder.prepare() }

    var helperGroup: String? { decoder.helperGroup }

    var readableFolders: [String] { decoder.readableFolders }

    func plainHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> ImageProperties? {
        readsPlainHeaders ? (decoder as? any HeaderReader)?.plainHeader(bytes) : nil
    }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        let task = HelperTask(
            bytes: bytes,
            format: format,
            group: helperGroup,
            options: DecodingOptions(),
            probes: true
        )
        if let image = try helpers.image(for: task) { return image.properties }
        return try decoder.probe(bytes)
    }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let task = HelperTask(
            bytes: bytes,
            format: format,
            group: helperGroup,
            options: options,
            probes: false
        )
        if let image = try helpers.image(for: task) { return image }
        return try decoder.decode(bytes, options: options)
    }
}

extension DecoderRegistry {
    /// The configuration's decoders, behind the wall that it asks for.
    ///
    /// `helpers` are nil where it asks for none.
    static func isolated(
        _ configuration: ImageManagerConfiguration,
        by helpers: DecoderHelpers?
    ) -> Self {
        guard let helpers else { return configuration.decoders }
        return configuration.decoders.mapDecoders { decoder in
            IsolatedDecoder(
                decoder: decoder,
                helpers: helpers,
                readsPlainHeaders: configuration.isolation != .always
            )
        }
    }
}

/// What a helper is to do.
struct HelperTask {
    let bytes: [UInt8]
    /// Of the decoder that knows the bytes.
    let format: ImageFormat
    /// Of that decoder.
    let group: String?
    let options: DecodingOptions
    /// Whether only the header is wanted.
    let probes: Bool
}
