internal import CImageCodecs

/// One chunk of a PNG: where its parts stand in the file.
///
/// The layout (PNG, section 5):
///
///     length of data (32) | type (4 letters) | data | CRC (32)
struct PNGChunk {
    /// The four letters as one number, the first highest.
    let type: UInt32
    /// The data.
    let data: Range<Int>

    /// Where the next chunk starts; possibly past the end of the file.
    var end: Int { data.upperBound + 4 }

    /// Reads length and type at `offset`; nil if the file ends before them or the length is none
    /// that a PNG may have.
    init?(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        guard offset >= 0, offset <= bytes.count - 8 else { return nil }
        let length = Self.number(at: offset, in: bytes)
        guard length <= Int32.max else { return nil }
        type = Self.number(at: offset + 4, in: bytes)
        data = offset + 8..<offset + 8 + Int(length)
    }

    /// The 32-bit number at `offset`, highest byte first.
    static func number(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The type as a number, for comparison.
    static func type(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

/// Finds chunks in a PNG without decoding it.
///
/// They stand one after the other behind the signature. Every length comes from outside; a chunk
/// that reaches past the end ends the search.
enum PNGChunks {
    private static let signatureByteCount = 8

    /// Where the data of the first chunk of `type` lie, wherever in the file it is, or before the
    /// first chunk of type `end`.
    ///
    /// EXIF may stand before or after the pixels; libpng tells only of the former before it has
    /// read the latter.
    static func range(
        of type: StaticString,
        before end: StaticString = "IEND",
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        let (type, end) = (PNGChunk.type(type), PNGChunk.type(end))
        var offset = signatureByteCount
        while let chunk = PNGChunk(at: offset, in: bytes), chunk.end <= bytes.count {
            guard chunk.type != end else { return nil }
            if chunk.type == type { return chunk.data }
            offset = chunk.end
        }
        return nil
    }

    /// The number of frames that the `acTL` chunk of an animated PNG announces.
    ///
    /// 1 without the chunk, or if it announces 0 or more than 2³¹ - 1 frames, which no PNG may (PNG,
    /// third edition, section 7.1): the file is then a still image.
    static func frameCount(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let control = range(of: "acTL", in: bytes), control.count >= 4 else { return 1 }
        let count = bytes[control.prefix(4)].reduce(0) { $0 << 8 | Int($1) }
        return (1...Int(Int32.max)).contains(count) ? count : 1
    }
}

/// What a PNG's cICP chunk says about its colours (PNG, third edition, section 11.3.2.6), else its iCCP
/// chunk (section 11.3.2.3).
///
///     primaries | transfer | 0 | whether the whole range is used
///     name (1 to 79 letters) | 0 | method (0: deflate) | zlib stream of the profile
struct PNGColor {
    /// The least a profile has: its header and the number of its tags.
    private static let minimumByteCount = 132

    /// What samples mean.
    private(set) var colors = FileColors.assumed

    /// Whether gAMA is to be left aside: a profile says more (PNG, section 4.3).
    var overridesGamma: Bool { colors.isKnown }

    /// Reads what is said in `file`; of a profile it takes in no more than `limit` bytes.
    init(_ file: UnsafeBufferPointer<UInt8>, limit: Int) throws(ImageDecodingError) {
        if let profile = Self.codes(file) {
            colors = .lights(profile)
            return
        }
        guard file.count > 25, let profile = try Self.profile(in: file, limit: limit) else {
            return
        }
        // Bit 1 of the colour type: a profile of red, green and blue has no say over grey.
        colors = FileColors(profile, isGrey: file[25] & 2 == 0)
    }

    /// The bytes of the profile, as many as there are; nil if there is none.
    static func profile(
        in file: UnsafeBufferPointer<UInt8>,
        limit: Int
    ) throws(ImageDecodingError) -> [UInt8]? {
        guard let chunk = PNGChunks.range(of: "iCCP", before: "IDAT", in: file),
            let name = file[chunk].prefix(80).firstIndex(of: 0), name + 2 < chunk.upperBound,
            file[name + 1] == 0
        else { return nil }
        var input = UnsafeBufferPointer(rebasing: file[(name + 2)..<chunk.upperBound])
        guard let inflater = cic_inflater_create() else { return nil }
        defer { cic_inflater_destroy(inflater) }
        // It begins with its size.
        let start = Self.inflated(&input, by: inflater, byteCount: 4)
        guard let size = BigEndianBytes(bytes: start).uint32(at: 0) else { return nil }
        guard size <= limit else { throw .tooMuchMetadata(byteCount: size, limit: limit) }
        guard size >= Self.minimumByteCount else { return nil }
        return start + Self.inflated(&input, by: inflater, byteCount: size - start.count)
    }

    private static func codes(_ file: UnsafeBufferPointer<UInt8>) -> ColorProfile? {
        guard let chunk = PNGChunks.range(of: "cICP", before: "IDAT", in: file), chunk.count == 4
        else { return nil }
        let bytes = Array(file[chunk])
        guard bytes[2] == 0, bytes[3] == 1 else { return nil }
        return ColorCodes.profile(primaries: bytes[0], transfer: bytes[1])
    }

    /// The next `byteCount` bytes, or as many as there are.
    private static func inflated(
        _ input: inout UnsafeBufferPointer<UInt8>,
        by inflater: OpaquePointer,
        byteCount: Int
    ) -> [UInt8] {
        guard let start = input.baseAddress else { return [] }
        return [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            guard let room = output.baseAddress else { return }
            var inflation = cic_inflation(
                input: start,
                input_count: input.count,
                output: room,
                output_count: byteCount
            )
            // What came before damage counts: the profile's own checks see what is missing.
            _ = cic_inflater_continue(inflater, &inflation)
            input = UnsafeBufferPointer(start: inflation.input, count: inflation.input_count)
            count = byteCount - inflation.output_count
        }
    }
}
