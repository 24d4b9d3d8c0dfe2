/// Identifies the type of data that no decoder supports, for error messages.
///
/// The table of signatures also prevents binary and textual image files from being read as feeds.
enum ContentKind {
    /// The purpose of a file that is not an image of a supported format.
    private enum Purpose {
        /// An image of a format for which some builds of this module have a decoder.
        case image
        /// An image of a format for which this module has no decoder.
        case foreignImage
        case video
        case document
        case other
    }

    private struct Signature {
        let name: String
        let purpose: Purpose
        let offset: Int
        let bytes: [UInt8]

        init(_ name: String, _ purpose: Purpose, _ bytes: [UInt8], at offset: Int = 0) {
            self.name = name
            self.purpose = purpose
            self.offset = offset
            self.bytes = bytes
        }

        init(_ name: String, _ purpose: Purpose, _ text: String, at offset: Int = 0) {
            self.init(name, purpose, Array(text.utf8), at: offset)
        }

        /// Returns whether `file` has the signature.
        ///
        /// A list of files may start with the letters of a signature, so a file that starts like
        /// text never matches a signature of letters, digits and spaces.
        func matches(_ file: [UInt8]) -> Bool {
            file.dropFirst(offset).starts(with: bytes)
                && !(bytes.allSatisfy(Self.isInName) && ContentKind.startsLikeText(file))
        }

        /// Returns whether a byte is a letter, a digit or a space.
        private static func isInName(_ byte: UInt8) -> Bool {
            byte == 0x20 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        }
    }

    /// The signatures in the order in which they are compared; more specific ones come first.
    private static let signatures: [Signature] = [
        Signature("GIF", .image, "GIF8"),
        Signature("WebP", .image, "WEBP", at: 8),
        Signature("AVIF", .image, "ftypavif", at: 4),
        Signature("AVIF", .image, "ftypavis", at: 4),
        Signature("HEIC", .image, "ftyphei", at: 4),
        Signature("HEIC", .image, "ftypmif1", at: 4),
        Signature("AVIF", .image, "ftypmif3avif", at: 4),
        Signature("HEIC", .image, "ftypmif3", at: 4),
        Signature("JPEG XL", .image, "JXL ", at: 4),
        Signature("JPEG XL", .image, [0xFF, 0x0A]),
        Signature("TIFF", .image, [0x49, 0x49, 0x2A, 0x00]),
        Signature("TIFF", .image, [0x4D, 0x4D, 0x00, 0x2A]),
        Signature("icon", .image, [0x00, 0x00, 0x01, 0x00]),
        Signature("JPEG 2000", .foreignImage, "jP  ", at: 4),
        Signature("JPEG 2000", .foreignImage, [0xFF, 0x4F, 0xFF, 0x51]),
        Signature("JPEG XR", .foreignImage, [0x49, 0x49, 0xBC, 0x01]),
        Signature("JPEG-LS", .foreignImage, [0xFF, 0xD8, 0xFF, 0xF7]),
        Signature("XCF", .foreignImage, "gimp xcf "),
        Signature("EXR", .foreignImage, [0x76, 0x2F, 0x31, 0x01]),
        Signature("HDR", .foreignImage, "#?RADIANCE"),
        Signature("HDR", .foreignImage, "#?RGBE"),
        Signature("KTX", .foreignImage, [0xAB, 0x4B, 0x54, 0x58, 0x20]),
        Signature("SGI", .foreignImage, [0x01, 0xDA, 0x00, 0x01]),
        Signature("SGI", .foreignImage, [0x01, 0xDA, 0x00, 0x02]),
        Signature("SGI", .foreignImage, [0x01, 0xDA, 0x01, 0x01]),
        Signature("SGI", .foreignImage, [0x01, 0xDA, 0x01, 0x02]),
        Signature("Sun raster", .foreignImage, [0x59, 0xA6, 0x6A, 0x95]),
        Signature("DPX", .foreignImage, "SDPX\0"),
        Signature("DPX", .foreignImage, "XPDS"),
        Signature("Cineon", .foreignImage, [0x80, 0x2A, 0x5F, 0xD7]),
        Signature("FITS", .foreignImage, "SIMPLE  ="),
        Signature("ICNS", .foreignImage, "icns\0"),
        Signature("farbfeld", .foreignImage, "farbfeld\0"),
        Signature("FLIF", .foreignImage, "FLIF"),
        Signature("BPG", .foreignImage, [0x42, 0x50, 0x47, 0xFB]),
        Signature("DjVu", .foreignImage, "AT&TFORM"),
        Signature("ILBM", .foreignImage, "ILBM", at: 8),
        Signature("MNG", .foreignImage, [0x8A, 0x4D, 0x4E, 0x47]),
        Signature("JNG", .foreignImage, [0x8B, 0x4A, 0x4E, 0x47]),
        Signature("MIFF", .foreignImage, "id=ImageMagick"),
        Signature("XPM", .foreignImage, "/* XPM */"),
        Signature("XPM", .foreignImage, "! XPM2"),
        Signature("WMF", .foreignImage, [0xD7, 0xCD, 0xC6, 0x9A]),
        Signature("EMF", .foreignImage, " EMF", at: 40),
        Signature("X3F", .foreignImage, "FOVb"),
        Signature("PDF", .document, "%PDF-"),
        Signature("EPS", .document, "%!PS"),
        Signature("EPS", .document, [0xC5, 0xD0, 0xD3, 0xC6]),
        Signature("QuickTime", .video, "ftypqt  ", at: 4),
        Signature("MP4", .video, "ftyp", at: 4),
        Signature("QuickTime", .video, "moov", at: 4),
        Signature("WebM", .video, [0x1A, 0x45, 0xDF, 0xA3]),
        Signature("AVI", .video, "AVI LIST", at: 8),
        Signature("MPEG", .video, [0x00, 0x00, 0x01, 0xBA]),
        Signature("MPEG", .video, [0x00, 0x00, 0x01, 0xB3]),
        Signature("FLV", .video, [0x46, 0x4C, 0x56, 0x01]),
        Signature("Ogg", .video, "OggS\0"),
        Signature("WMV", .video, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
        Signature("gzip data", .other, [0x1F, 0x8B]),
        Signature("ZIP archive", .other, "PK\u{3}\u{4}"),
    ]

    /// Returns the error text for the file type `name`, which `describe` returned.
    static func refusal(of name: String) -> String {
        switch purpose(of: name) {
        case .image: "\(name): this build has no decoder for it"
        case .foreignImage: "\(name) images are not supported"
        case .video: "\(name) videos are not supported"
        case .document: "\(name) documents are not supported"
        case .other: "not an image: \(name)"
        }
    }

    /// Returns whether `name`, which `describe` returned, is an image, video or document format.
    static func isPicture(_ name: String) -> Bool { purpose(of: name) != .other }

    private static func purpose(of name: String) -> Purpose {
        switch name {
        case "SVG", "BMP": .image
        case "DDS", "PCX", "XBM": .foreignImage
        default: signatures.first { $0.name == name }?.purpose ?? .other
        }
    }

    /// The file name suffixes of formats without a decoder, keyed by format name.
    private static let suffixes = [
        "XPM": ["xpm"], "XBM": ["xbm"], "PCX": ["pcx"], "DDS": ["dds"], "EXR": ["exr"],
        "HDR": ["hdr"], "SGI": ["sgi"], "DPX": ["dpx"], "FITS": ["fits", "fit"], "ICNS": ["icns"],
        "MIFF": ["miff"], "XCF": ["xcf"], "JPEG 2000": ["jp2", "j2k", "j2c", "jpx", "jpf"],
        "JPEG XR": ["jxr", "wdp"], "EPS": ["eps"], "PDF": ["pdf"], "MP4": ["mp4", "m4v"],
        "QuickTime": ["mov"], "WebM": ["webm", "mkv"], "AVI": ["avi"], "MPEG": ["mpg", "mpeg"],
        "Ogg": ["ogv"], "WMV": ["wmv"], "FLV": ["flv"],
    ]

    private static let namesBySuffix = Dictionary(
        suffixes.flatMap { name, suffixes in suffixes.map { ($0, name) } }
    ) { $1 }

    /// Returns the name of the file format with this suffix (lowercase, without a dot).
    ///
    /// Returns nil if a decoder of this module supports the format or if the suffix is unknown.
    static func format(ofSuffix suffix: String) -> String? { namesBySuffix[suffix] }

    /// Returns a short name for the apparent type of `bytes`.
    static func describe(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "empty file" }
        let element = bytes.withUnsafeBufferPointer(MarkupStart.firstElement)
        if element == "svg" { return "SVG" }
        return signatures.first { $0.matches(bytes) }?.name ?? describeHeader(bytes)
            ?? describeText(bytes.prefix(1_024)) ?? "unknown data"
    }

    /// Returns the name of a format without an unambiguous signature, based on its header fields.
    private static func describeHeader(_ bytes: [UInt8]) -> String? {
        if isBitmap(bytes) { return "BMP" }
        if bytes.starts(with: "DDS ".utf8), bytes.prefix(18).contains(0) { return "DDS" }
        if isPaintbrush(bytes) { return "PCX" }
        return isXBitmap(bytes) ? "XBM" : nil
    }

    /// Returns whether the bytes start with "BM" and are not text, such as a list of names.
    static func isBitmap(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "BM".utf8) && bytes.prefix(18).contains(0)
    }

    /// Returns whether the bytes start with a PCX header.
    ///
    ///     10 (8) | version (8: 0, 2 to 5) | encoding (8: 0 or 1) | bits of a sample (8) | …
    private static func isPaintbrush(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 4 && bytes[0] == 10 && [0, 2, 3, 4, 5].contains(bytes[1]) && bytes[2] <= 1
            && [1, 2, 4, 8].contains(bytes[3])
    }

    /// Returns whether the bytes are the C source of an X bitmap.
    private static func isXBitmap(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: "#define".utf8) else { return false }
        let words = bytes.prefix(256).split { $0.isSpace }
        guard words.count > 1 else { return false }
        let name = String(decoding: words[1], as: UTF8.self)
        return name == "width" || name.hasSuffix("_width")
    }

    /// Returns whether a file starts like text, with only printable characters and white space.
    static func startsLikeText(_ bytes: [UInt8]) -> Bool { isText(bytes.prefix(64)) }

    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    }

    /// Returns a name for the type of text in `bytes`, such as "HTML page", or nil if the bytes are
    /// not text.
    private static func describeText(_ bytes: ArraySlice<UInt8>) -> String? {
        guard isText(bytes) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.contains("<html") || start.hasPrefix("<!doctype html") { return "HTML page" }
        if ["<head", "<body", "<script", "<title"].contains(where: start.hasPrefix) {
            return "HTML page"
        }
        if start.hasPrefix("<") { return "XML" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON" }
        return start.isEmpty ? "blank text" : "text"
    }
}
