internal import CImageCodecs

extension ImageFormat {
    /// GIF, still and animated.
    public static let gif = ImageFormat(
        rawValue: "gif",
        displayName: "GIF",
        fileSuffixes: ["gif"],
        mediaTypes: ["image/gif"]
    )
    /// WebP (RFC 9649), still and animated.
    public static let webP = ImageFormat(
        rawValue: "webp",
        displayName: "WebP",
        fileSuffixes: ["webp"],
        mediaTypes: ["image/webp"]
    )
    /// AVIF: AV1 in HEIF (ISO/IEC 23008-12).
    public static let avif = ImageFormat(
        rawValue: "avif",
        displayName: "AVIF",
        fileSuffixes: ["avif"],
        mediaTypes: ["image/avif"]
    )
    /// HEIC: HEVC in HEIF (ISO/IEC 23008-12).
    public static let heic = ImageFormat(
        rawValue: "heic",
        displayName: "HEIC",
        fileSuffixes: ["heic", "heif", "hif"],
        mediaTypes: ["image/heic", "image/heif"]
    )
    /// JPEG XL (ISO/IEC 18181), still and animated.
    public static let jpegXL = ImageFormat(
        rawValue: "jxl",
        displayName: "JPEG XL",
        fileSuffixes: ["jxl"],
        mediaTypes: ["image/jxl"]
    )
    /// TIFF 6.0 and BigTIFF.
    ///
    /// The first image of the file is decoded. If it is a thumbnail, the largest image is decoded
    /// instead.
    public static let tiff = ImageFormat(
        rawValue: "tiff",
        displayName: "TIFF",
        fileSuffixes: ["tiff", "tif"],
        mediaTypes: ["image/tiff"]
    )
    /// SVG, optionally compressed with gzip, drawn at the requested size.
    public static let svg = ImageFormat(
        rawValue: "svg",
        displayName: "SVG",
        fileSuffixes: ["svg", "svgz"],
        mediaTypes: ["image/svg+xml"]
    )
}

extension LibraryDecoder {
    /// The GIF decoder, which uses giflib.
    public static let gif = LibraryDecoder(
        .gif,
        .gif,
        helperGroup: nil
    ) {
        // A list of files may start with a name such as "GIF8.gif".
        $0.starts(with: "GIF8".utf8)
            && ($0.count < 13 && !$0.contains(0x0A) || !ContentKind.startsLikeText($0))
    }

    /// The WebP decoder, which uses libwebp.
    public static let webP = LibraryDecoder(
        .webP,
        .webp,
        helperGroup: nil
    ) { $0.starts(with: "RIFF".utf8) && $0.dropFirst(8).starts(with: "WEBP".utf8) }

    /// The AVIF decoder, which uses libheif.
    public static let avif = LibraryDecoder(
        .avif,
        .heif,
        helperGroup: "heif"
    ) {
        brand(of: $0, isOneOf: ["avif", "avis"])
    }

    /// The HEIC decoder, which uses libheif.
    public static let heic = LibraryDecoder(
        .heic,
        .heif,
        helperGroup: "heif"
    ) {
        brand(of: $0, isOneOf: ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"])
    }

    /// The JPEG XL decoder, which uses libjxl.
    public static let jpegXL = LibraryDecoder(
        .jpegXL,
        .jpeg_xl,
        helperGroup: "jxl"
    ) {
        $0.starts(with: [0xFF, 0x0A])
            || $0.starts(with: [0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 0x0A])
    }

    /// The TIFF decoder, which uses libtiff.
    public static let tiff = LibraryDecoder(
        .tiff,
        .tiff,
        helperGroup: "tiff"
    ) { prefix in
        [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]]
            .contains { prefix.starts(with: $0) }
    }

    /// The SVG decoder, which uses librsvg.
    public static let svg = LibraryDecoder(
        .svg,
        .svg,
        helperGroup: "svg",
        readableFolders: ["/usr/share/fonts", "/usr/local/share/fonts"]
    ) {
        ContentKind.describe($0) == "SVG"
    }

    /// The library decoders of this build; package traits select the libraries.
    static var all: [LibraryDecoder] {
        var decoders: [LibraryDecoder] = []
        #if SVG
        decoders.append(svg)
        #endif
        #if TIFF
        decoders.append(tiff)
        #endif
        #if JPEGXL
        decoders.append(jpegXL)
        #endif
        #if HEIF
        decoders += [heic, avif]
        #endif
        #if WebP
        decoders.append(webP)
        #endif
        #if GIF
        decoders.append(gif)
        #endif
        return decoders
    }

    /// Returns whether any brand of a file (ISO/IEC 14496-12, section 4.3) is in `brands`.
    ///
    /// The brands are the major brand and the compatible brands. In a file with a minimized header
    /// ("mif3"), the version is also a brand: the brand of the coding.
    private static func brand(of prefix: [UInt8], isOneOf brands: Set<String>) -> Bool {
        guard prefix.dropFirst(4).starts(with: "ftyp".utf8), prefix.count >= 12 else {
            return false
        }
        let size = prefix[..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(size, prefix.count)
        let isMinimized = prefix[8..<12].elementsEqual("mif3".utf8)
        // The major brand is followed by its version and then by the compatible brands.
        let starts = [8] + Array(stride(from: isMinimized ? 12 : 16, to: max(12, end - 3), by: 4))
        return starts.contains { start in
            brands.contains(String(decoding: prefix[start..<start + 4], as: UTF8.self))
        }
    }
}
