import DecoderContracts

/// Possible damage of a PNG.
enum PNGDamage {
    private typealias Change = @Sendable (inout PNGImage) -> Void

    static func files() -> [DamagedFile] {
        kinds()
            + changes.map { name, change in
                var image = PNGImage()
                change(&image)
                return ("png-\(name).png", image.bytes)
            }
            + raw.map { name, change in
                var bytes = PNGImage().bytes
                change(&bytes)
                return ("png-\(name).png", bytes)
            }
    }

    /// Returns valid files of every kind; each decoder path starts from one.
    private static func kinds() -> [DamagedFile] {
        let depths: KeyValuePairs<Int, [Int]> = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        return depths.flatMap { colorType, depths in
            depths.flatMap { depth in
                [false, true].map { isInterlaced in
                    var image = PNGImage()
                    (image.colorType, image.depth) = (colorType, depth)
                    image.isInterlaced = isInterlaced
                    let kind = isInterlaced ? "interlaced" : "plain"
                    return ("png-in-order-\(colorType)-\(depth)-\(kind).png", image.bytes)
                }
            }
        }
    }

    private static let changes: KeyValuePairs<String, Change> = [
        "filter-type-5": { $0.filter = { _ in 5 } },
        "filter-type-255-in-the-last-row": { image in
            let last = image.height - 1
            image.filter = { $0 == last ? 255 : 0 }
        },
        "rows-too-few": { $0.rowCount = 9 },
        "rows-too-many": { $0.rowCount = 40 },
        "rows-none": { $0.rowCount = 0 },
        "row-cut": { $0.stream = { StoredZlib.wrap($0.dropLast(5)) } },
        "stream-empty": { $0.stream = { _ in [] } },
        "stream-checksum-wrong": { $0.stream = { wrapped($0) { $0[$0.count - 1] ^= 1 } } },
        "stream-checksum-missing": { $0.stream = { StoredZlib.wrap($0).dropLast(4) } },
        "stream-header-wrong": { $0.stream = { wrapped($0) { $0[1] ^= 1 } } },
        "stream-window-too-small": {
            $0.stream = { wrapped($0) { $0.replaceSubrange(0...1, with: [0x08, 0x1D]) } }
        },
        "stream-of-64-kib-window": {
            $0.stream = { wrapped($0) { $0.replaceSubrange(0...1, with: [0x88, 0x1C]) } }
        },
        "stream-with-dictionary": {
            $0.stream = { wrapped($0) { $0.replaceSubrange(0...1, with: [0x78, 0x20]) } }
        },
        "stream-of-block-type-3": { $0.stream = { wrapped($0) { $0[2] = 7 } } },
        "stream-of-fixed-codes": { $0.stream = { wrapped($0) { $0[2] = 3 } } },
        "stream-of-dynamic-codes": { $0.stream = { wrapped($0) { $0[2] = 5 } } },
        "stream-length-check-wrong": { $0.stream = { wrapped($0) { $0[5] ^= 4 } } },
        "stream-without-last-block": { $0.stream = { wrapped($0) { $0[2] = 0 } } },
        "stream-followed-by-noise": { $0.stream = { StoredZlib.wrap($0) + noise(60) } },
        "width-zero": { $0.header.replaceSubrange(0...3, with: [0, 0, 0, 0]) },
        "height-huge": { $0.header.replaceSubrange(4...7, with: [0x7F, 255, 255, 255]) },
        "height-negative": { $0.header.replaceSubrange(4...7, with: [0x80, 0, 0, 1]) },
        "sides-30000": {
            $0.header.replaceSubrange(0...7, with: bigEndian(30_000, 4) + bigEndian(30_000, 4))
        },
        "depth-3": { $0.header[8] = 3 },
        "depth-4-of-rgb": { $0.header[8] = 4 },
        "color-type-1": { $0.header[9] = 1 },
        "compression-1": { $0.header[10] = 1 },
        "filter-method-64": { $0.header[11] = 64 },
        "interlace-2": { $0.header[12] = 2 },
        "header-cut": { $0.header.removeLast(2) },
        "header-too-long": { $0.header += [0, 0] },
        "palette-missing": {
            $0.colorType = 3; $0.palette = nil
        },
        "palette-too-short": {
            $0.colorType = 3; $0.palette = [1, 2, 3]
        },
        "palette-of-four-bytes": {
            $0.colorType = 3; $0.palette = [1, 2, 3, 4]
        },
        "palette-too-long": {
            $0.colorType = 3; $0.palette = noise(257 * 3)
        },
        "palette-empty": {
            $0.colorType = 3; $0.palette = []
        },
        "palette-too-long-for-depth": {
            $0.colorType = 3; $0.depth = 1; $0.palette = noise(30)
        },
        "palette-of-gray": {
            $0.colorType = 0; $0.palette = noise(30)
        },
        "palette-behind-pixels": {
            $0.colorType = 3; $0.late = [("PLTE", noise(48))]; $0.palette = nil
        },
        "trns-too-long": {
            $0.colorType = 3; $0.early = [("tRNS", noise(300))]
        },
        "trns-beside-palette": {
            $0.palette = noise(30)
            $0.early = [("tRNS", [0, 1, 0, 2, 0, 3])]
        },
        "trns-before-suggestion": {
            $0.palette = noise(30)
            $0.first = [("tRNS", [0, 1, 0, 2, 0, 3])]
        },
        "trns-around-suggestion": {
            $0.palette = noise(30)
            $0.first = [("tRNS", [0, 1, 0, 2, 0, 3])]
            $0.early = [("tRNS", [0, 1, 0, 2, 0, 3])]
        },
        "trns-before-palette": {
            $0.colorType = 3; $0.first = [("tRNS", [0, 9])]
        },
        "trns-of-palette": {
            $0.colorType = 3; $0.early = [("tRNS", noise(20))]
        },
        "trns-of-rgba": {
            $0.colorType = 6; $0.early = [("tRNS", [0, 1, 0, 2, 0, 3])]
        },
        "trns-of-gray": {
            $0.colorType = 0; $0.depth = 4; $0.early = [("tRNS", [0, 7])]
        },
        "trns-of-16-bit": {
            $0.depth = 16; $0.early = [("tRNS", [1, 1, 2, 2, 3, 3])]
        },
        "trns-cut": { $0.early = [("tRNS", [0, 1, 0])] },
        "gamma-zero": { $0.early = [("gAMA", [0, 0, 0, 0])] },
        "gamma-huge": { $0.early = [("gAMA", [0x7F, 255, 255, 255])] },
        "gamma-linear": { $0.early = [("gAMA", bigEndian(100_000, 4))] },
        "gamma-linear-16-bit": {
            $0.depth = 16; $0.early = [("gAMA", bigEndian(100_000, 4))]
        },
        "gamma-of-palette": {
            $0.colorType = 3; $0.early = [("gAMA", bigEndian(30_000, 4))]
        },
        "gamma-with-srgb": { $0.early = [("gAMA", bigEndian(30_000, 4)), ("sRGB", [0])] },
        "chromaticities-zero": { $0.early = [("cHRM", [UInt8](repeating: 0, count: 32))] },
        "chunk-unknown-critical": { $0.early = [("ABCD", [1, 2, 3])] },
        "chunk-unknown-ancillary": { $0.early = [("abCd", noise(30))] },
        "chunk-name-not-letters": { $0.early = [("a\u{1}!2", [1])] },
        "text-compressed-bomb": {
            $0.early = [
                ("zTXt", Array("k\0\0".utf8) + StoredZlib.wrap([UInt8](repeating: 65, count: 3000)))
            ]
        },
        "profile-not-compressed": { $0.early = [("iCCP", Array("name\0\0".utf8) + noise(50))] },
        "exif-loops": { $0.early = [("eXIf", Array("MM\0*".utf8) + [0, 0, 0, 8, 255, 255])] },
        "exif-turned": { $0.late = [("eXIf", EXIFDamage.orientation(6))] },
        "frames-four-billion": { $0.early = [("acTL", [255, 255, 255, 255, 0, 0, 0, 0])] },
        "frames-cut": { $0.early = [("acTL", [0, 0])] },
        "pixels-in-one-byte-chunks": {
            $0.pieceByteCount = 1; $0.width = 6; $0.height = 5
        },
        "pixels-in-empty-chunks": {
            $0.pieceByteCount = 100; $0.hasEmptyPieces = true
        },
        "pixels-interrupted": {
            $0.pieceByteCount = 200; $0.between = [("tEXt", Array("a\0b".utf8))]
        },
        "pixels-interrupted-by-unknown": {
            $0.pieceByteCount = 200; $0.between = [("IDAU", [])]
        },
        "one-pixel-interlaced": {
            $0.isInterlaced = true; $0.width = 1; $0.height = 1
        },
        "one-column-interlaced": {
            $0.isInterlaced = true; $0.width = 1; $0.height = 19
        },
        "passes-missing": {
            $0.isInterlaced = true; $0.rowCount = 20
        },
    ]

    /// Changes to the finished bytes, including checksums.
    private static let raw: KeyValuePairs<String, @Sendable (inout [UInt8]) -> Void> = [
        "ihdr-crc-wrong": { $0[29] ^= 1 },
        "idat-crc-wrong": { $0[$0.count - 13] ^= 1 },
        "iend-crc-wrong": { $0[$0.count - 1] ^= 1 },
        "iend-missing": { $0.removeLast(12) },
        "iend-cut": { $0.removeLast(3) },
        "idat-crc-missing": { $0.removeLast(16) },
        "idat-cut": { $0.removeLast($0.count / 2) },
        "idat-past-end": { bytes in
            if let place = firstDataChunk(in: bytes) { bytes[place - 3] = 1 }
        },
        "idat-length-negative": { bytes in
            if let place = firstDataChunk(in: bytes) { bytes[place - 4] = 0x80 }
        },
        "cut-in-signature": { $0.removeLast($0.count - 5) },
        "cut-in-ihdr": { $0.removeLast($0.count - 20) },
        "signature-alone": { $0.removeLast($0.count - 8) },
        "signature-of-text-mode": { $0.replaceSubrange(4...5, with: [0x0A]) },
        "ihdr-missing": { $0.removeSubrange(8..<33) },
        "ihdr-twice": { $0.insert(contentsOf: $0[8..<33], at: 33) },
        "idat-missing": { $0.removeSubrange(33..<($0.count - 12)) },
        "more-behind-the-end": { $0 += noise(50) },
        "two-pictures": { $0 += $0 },
    ]

    /// Returns the position of the name of the first IDAT chunk; its length is in the four bytes
    /// before.
    private static func firstDataChunk(in bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4].elementsEqual("IDAT".utf8) }
    }

    private static func wrapped(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var stream = StoredZlib.wrap(bytes)
        change(&stream)
        return stream
    }
}
