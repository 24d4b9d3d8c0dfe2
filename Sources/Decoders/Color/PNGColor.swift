internal import CImageCodecs

/// What a PNG's iCCP chunk says about its colours (PNG, section 11.3.2.3).
///
///     name (1 to 79 letters) | 0 | method (0: deflate) | zlib stream of the profile
struct PNGColor {
    /// The least a profile has: its header and the number of its tags.
    private static let minimumByteCount = 132

    /// The profile, if it can be used.
    private(set) var profile: ColorProfile?

    /// Whether gAMA is to be left aside: a profile says more (PNG, section 4.3).
    var outweighsGamma: Bool { profile != nil }

    /// Reads the profile in `file`, of which it takes in no more than `limit` bytes.
    init(_ file: UnsafeBufferPointer<UInt8>, limit: Int) throws(ImageDecodingError) {
        // Bit 1 of the colour type: a profile of red, green and blue has no say over grey.
        guard file.count > 25, file[25] & 2 != 0,
            let chunk = PNGChunks.range(of: "iCCP", before: "IDAT", in: file),
            let name = file[chunk].prefix(80).firstIndex(of: 0), name + 2 < chunk.upperBound,
            file[name + 1] == 0
        else { return }
        var input = UnsafeBufferPointer(rebasing: file[(name + 2)..<chunk.upperBound])
        guard let inflater = cic_inflater_create() else { return }
        defer { cic_inflater_destroy(inflater) }
        // It begins with its size.
        let start = Self.inflated(&input, by: inflater, byteCount: 4)
        guard let size = BigEndianBytes(bytes: start).uint32(at: 0) else { return }
        guard size <= limit else { throw .tooMuchMetadata(byteCount: size, limit: limit) }
        guard size >= Self.minimumByteCount else { return }
        let rest = Self.inflated(&input, by: inflater, byteCount: size - start.count)
        profile = ColorProfile(start + rest)
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
