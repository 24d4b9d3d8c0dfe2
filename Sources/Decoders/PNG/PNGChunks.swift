internal import CImageCodecs

/// The type and position of a chunk in a PNG.
///
/// The layout of a chunk (PNG, section 5), with sizes in bits:
///
///     length of data (32) | type (4 letters) | data | CRC (32)
struct PNGChunk {
    /// The four letters as one big-endian number.
    let type: UInt32
    /// The range of the data.
    let data: Range<Int>

    /// The offset of the next chunk, which may be past the end of the file.
    var end: Int { data.upperBound + 4 }

    /// Reads the length and type at `offset`.
    ///
    /// Returns nil if the file is too short or the length exceeds the maximum, 2³¹ - 1.
    init?(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        guard offset >= 0, offset <= bytes.count - 8 else { return nil }
        let length = Self.number(at: offset, in: bytes)
        guard length <= Int32.max else { return nil }
        type = Self.number(at: offset + 4, in: bytes)
        data = offset + 8..<offset + 8 + Int(length)
    }

    /// Returns the big-endian 32-bit number at `offset`.
    static func number(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Returns the name of a chunk type as a number.
    static func type(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

/// Finds chunks in a PNG without decoding it.
///
/// The chunks follow the signature without gaps. All lengths are untrusted. If a chunk extends past
/// the end of the file, the search ends.
enum PNGChunks {
    private static let signatureByteCount = 8

    /// Returns the range of the data of the first chunk of `type`, or nil if it is not found.
    ///
    /// Only the chunks before the first chunk of type `end` are searched; by default, these are all
    /// chunks. EXIF may precede or follow the pixels, and this method finds it in both cases.
    /// libpng does not report EXIF after the pixels until it has read the pixels.
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

    /// Returns the number of frames that the `acTL` chunk of an animated PNG declares.
    ///
    /// Returns 1 if that chunk is missing or invalid.
    static func frameCount(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let control = range(of: "acTL", in: bytes), control.count >= 4 else { return 1 }
        let count = bytes[control.prefix(4)].reduce(0) { $0 << 8 | Int($1) }
        return (1...Int(Int32.max)).contains(count) ? count : 1
    }
}

/// The color information of a PNG.
///
/// The cICP chunk (PNG, third edition, section 11.3.2.6) is used if possible, otherwise the iCCP
/// chunk (section 11.3.2.3).
///
///     primaries | transfer | 0 | whether the whole range is used
///     name (1 to 79 letters) | 0 | method (0: deflate) | zlib stream of the profile
struct PNGColor {
    /// The minimum size of a profile in bytes: a header of 128 bytes and a tag count of 4.
    private static let minimumByteCount = 132

    /// The color space of the samples.
    private(set) var colors = FileColors.assumed

    /// Whether the gAMA chunk must be ignored.
    ///
    /// It is ignored if cICP or a profile is used, because they are more accurate (PNG, section
    /// 4.3).
    var overridesGamma: Bool { colors.isKnown }

    /// Reads the color information of `file`; throws if the profile has more than `limit` bytes.
    init(_ file: UnsafeBufferPointer<UInt8>, limit: Int) throws(ImageDecodingError) {
        if let profile = Self.codes(file) {
            colors = .lights(profile)
            return
        }
        guard file.count > 25, let profile = try Self.profile(in: file, limit: limit) else {
            return
        }
        // Bit 1 of the color type is 0 for gray images, which need a gray profile.
        colors = FileColors(profile, isGray: file[25] & 2 == 0)
    }

    /// Returns the profile; if it is damaged, returns the part that can be inflated.
    ///
    /// Returns nil if the file has no valid iCCP chunk, or if the declared size of the profile is
    /// less than `minimumByteCount`.
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
        // The first four bytes of the profile are its size.
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

    /// Returns the next `byteCount` inflated bytes.
    ///
    /// Returns fewer bytes if the data ends or is damaged.
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
            // Bytes before damage are used; parsing the profile detects missing bytes.
            _ = cic_inflater_continue(inflater, &inflation)
            input = UnsafeBufferPointer(start: inflation.input, count: inflation.input_count)
            count = byteCount - inflation.output_count
        }
    }
}
