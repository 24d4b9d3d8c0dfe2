/// Turns the bytes of one format into pixels; stateless, synchronous, callable on any thread.
///
/// Made usable by `DecoderRegistry.register`.
public protocol ImageDecoder: Sendable {
    /// The format it decodes; all that is known of it by name stands there.
    var format: ImageFormat { get }

    /// Whether these first bytes of a file, 1,024 or as many as there are, are of its format.
    ///
    /// Names and content types are never asked: half of all ".jpg" errors are HTML pages.
    func canDecode(_ prefix: [UInt8]) -> Bool

    /// Reads the header only.
    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties

    /// Decodes at the size asked for; blocks for as long as that takes.
    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage

    /// Loads what the decoder would otherwise load with its first image.
    ///
    /// Called where decoders are isolated: once images come, no library and no file can be opened.
    func prepare()

    /// Which decoders share a process where decoders are isolated; nil for those that load little.
    ///
    /// Those of a group may start threads.
    var helperGroup: String? { get }

    /// Where decoders are isolated, the folders from which it reads what pictures need, such as fonts.
    var readableFolders: [String] { get }
}

extension ImageDecoder {
    /// Does nothing.
    public func prepare() {}

    /// The process of the decoders that load little.
    public var helperGroup: String? { nil }

    /// None.
    public var readableFolders: [String] { [] }
}

/// A decoder that reads a file where it lies, such as in memory that is shared with others.
package protocol InPlaceDecoder: ImageDecoder {
    /// Reads the header only.
    func probe(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageDecodingError) -> ImageProperties

    /// Decodes bytes that nobody changes meanwhile.
    func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage
}

/// The decoders a program has, asked by the first bytes of a file; the last registered first.
public struct DecoderRegistry: Sendable {
    /// All formats of this build; copy it and register decoders of your own.
    ///
    /// JPEG, PNG, BMP, ICO and QOI are always there; of the others the libraries are loaded with the
    /// first file that needs them.
    public static let standard = DecoderRegistry(
        decoders: LibraryDecoder.all + [
            QOIDecoder(), ICODecoder(), BMPDecoder(), PNGDecoder(), JPEGDecoder(),
        ]
    )

    /// How many bytes tell what a file is: comments can stand before the first element of an SVG.
    package static let prefixByteCount = 1_024

    private var decoders: [any ImageDecoder]

    /// Makes a registry of `decoders`, registered in their order.
    public init(decoders: [any ImageDecoder] = []) { self.decoders = decoders }

    /// Adds a decoder that is asked before all others.
    public mutating func register(_ decoder: any ImageDecoder) { decoders.append(decoder) }

    /// The same with other decoders in place of these.
    package func mapDecoders(_ transform: (any ImageDecoder) -> any ImageDecoder) -> Self {
        DecoderRegistry(decoders: decoders.map(transform))
    }

    /// Has those of a group, and those of none, load what they need.
    package func prepare(group: String?) {
        for decoder in decoders where decoder.helperGroup == nil || decoder.helperGroup == group {
            decoder.prepare()
        }
    }

    /// The folders from which the decoders of a group read.
    package func readableFolders(group: String?) -> [String] {
        decoders.filter { $0.helperGroup == group }.flatMap(\.readableFolders)
    }

    /// The formats whose library is not installed, with the package that has it; loads the others.
    package var missingLibraries: [(format: ImageFormat, package: String)] {
        decoders.compactMap { decoder in
            (decoder as? LibraryDecoder)?.missingPackage.map { (decoder.format, $0) }
        }
    }

    /// The formats that are decoded, each once, in the order of their registration.
    public var formats: [ImageFormat] {
        decoders.map(\.format).reduce(into: []) { formats, format in
            if !formats.contains(format) { formats.append(format) }
        }
    }

    /// The format of a file by its bytes, of which the first 1,024 do; nil if no decoder knows it.
    public func format(of bytes: [UInt8]) -> ImageFormat? { knownDecoder(for: bytes)?.format }

    /// The format that the suffix of a file's name stands for; nil if no decoder has it.
    ///
    /// Upper and lower case count the same. What the bytes are is another question.
    public func format(ofFileNamed name: String) -> ImageFormat? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let suffix = name[dot...].dropFirst().lowercased()
        return formats.last { $0.fileSuffixes.contains(suffix) }
    }

    /// The name of the picture format that a file's first bytes are of, with a decoder or without.
    ///
    /// Nil if they are of none. 1,024 bytes do.
    package static func pictureFormat(of bytes: [UInt8]) -> String? {
        if let format = standard.format(of: bytes) { return format.displayName }
        let kind = ContentKind.describe(bytes)
        return ContentKind.pictureFormats.contains(kind) ? kind : nil
    }

    /// Reads the header of a picture with the decoder that knows it.
    public func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        try decoder(for: bytes).probe(bytes)
    }

    /// What the header of a picture says, if that can be told in microseconds and without a library.
    package func plainHeader(_ bytes: [UInt8]) -> ImageProperties? {
        guard let reader = knownDecoder(for: bytes) as? any HeaderReader else { return nil }
        return bytes.withUnsafeBufferPointer { reader.plainHeader($0) }
    }

    /// Decodes a picture with the decoder that knows it; blocks for as long as that takes.
    ///
    /// With `DecodingOptions.acceptsDamage` a damaged file is decoded twice: the first time says what
    /// is wrong with it.
    public func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let decoder = try decoder(for: bytes)
        var strict = options
        strict.acceptsDamage = false
        let damage: ImageDecodingError
        do throws(ImageDecodingError) {
            return try decoder.decode(bytes, options: strict)
        } catch {
            damage = error
        }
        guard options.acceptsDamage, damage.isDamage else { throw damage }
        do throws(ImageDecodingError) {
            var image = try decoder.decode(bytes, options: options)
            (image.isFinal, image.damage) = (true, damage)
            return image
        } catch {
            // What is wrong with the file says more than where going on came to an end, or what its
            // damaged parts seem to ask for.
            if case .unsupportedFeature = error { throw damage }
            throw error.isDamage ? damage : error
        }
    }

    /// Reads the header of a picture in place, if its decoder can; nil if no decoder knows it.
    package func probe(
        inPlace bytes: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties? {
        guard let decoder = knownDecoder(for: bytes) else { return nil }
        guard let inPlace = decoder as? any InPlaceDecoder else {
            return try decoder.probe(Array(bytes))
        }
        return try inPlace.probe(bytes)
    }

    /// Decodes a picture in place, if its decoder can; nil if no decoder knows it.
    package func decode(
        inPlace bytes: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage? {
        guard let decoder = knownDecoder(for: bytes) else { return nil }
        guard let inPlace = decoder as? any InPlaceDecoder else {
            return try decoder.decode(Array(bytes), options: options)
        }
        return try inPlace.decode(bytes, options: options)
    }

    private func decoder(for bytes: [UInt8]) throws(ImageDecodingError) -> any ImageDecoder {
        guard let decoder = knownDecoder(for: bytes) else {
            throw .unsupportedFormat(ContentKind.describe(bytes))
        }
        return decoder
    }

    private func knownDecoder(for bytes: some Collection<UInt8>) -> (any ImageDecoder)? {
        let prefix = Array(bytes.prefix(Self.prefixByteCount))
        return decoders.last { $0.canDecode(prefix) }
    }
}

/// Names what bytes look like that no decoder knows, for an error message.
enum ContentKind {
    private static let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
        (0, Array("GIF8".utf8), "GIF"),
        (8, Array("WEBP".utf8), "WebP"),
        (4, Array("ftypavif".utf8), "AVIF"),
        (4, Array("ftypavis".utf8), "AVIF"),
        (4, Array("ftyphei".utf8), "HEIC"),
        (4, Array("ftypmif1".utf8), "HEIC"),
        (4, Array("ftyp".utf8), "MP4 video"),
        (4, Array("JXL ".utf8), "JPEG XL"),
        (4, Array("jP  ".utf8), "JPEG 2000"),
        (0, [0xFF, 0x0A], "JPEG XL"),
        (0, Array("BM".utf8), "BMP"),
        (0, [0x49, 0x49, 0x2A, 0x00], "TIFF"),
        (0, [0x4D, 0x4D, 0x00, 0x2A], "TIFF"),
        (0, [0x00, 0x00, 0x01, 0x00], "icon"),
        (0, Array("%PDF".utf8), "PDF"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "WebM video"),
        (0, [0x1F, 0x8B], "gzip data"),
        (0, Array("PK\u{3}\u{4}".utf8), "ZIP archive"),
    ]

    /// Those that are pictures.
    static let pictureFormats: Set = [
        "AVIF", "BMP", "GIF", "HEIC", "JPEG 2000", "JPEG XL", "SVG", "TIFF", "WebP", "icon",
    ]

    /// A short name for what `bytes` seem to be.
    static func describe(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "empty file" }
        let match = signatures.first { signature in
            bytes.dropFirst(signature.offset).starts(with: signature.bytes)
        }
        return match?.name ?? describeText(bytes.prefix(DecoderRegistry.prefixByteCount))
            ?? "unknown data"
    }

    /// Names kinds of text, or nil if the bytes are none.
    private static func describeText(_ bytes: ArraySlice<UInt8>) -> String? {
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
        guard isText else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.contains("<html") || start.hasPrefix("<!doctype html") { return "HTML page" }
        if start.hasPrefix("<"), text.contains("<svg") { return "SVG" }
        if ["<head", "<body", "<script", "<title"].contains(where: start.hasPrefix) {
            return "HTML page"
        }
        if start.hasPrefix("<") { return "XML" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON" }
        return start.isEmpty ? "blank text" : "text"
    }
}
