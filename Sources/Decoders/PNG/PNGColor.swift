internal import CImageCodecs

/// The color information of a PNG.
///
/// The cICP chunk (PNG, third edition, section 11.3.2.6) is used if possible, otherwise the iCCP
/// chunk (section 11.3.2.3), the sRGB chunk, or gAMA and cHRM.
///
///     primaries | transfer | 0 | whether the whole range is used
///     name (1 to 79 letters) | 0 | method (0: deflate) | zlib stream of the profile
struct PNGColor {
    /// The minimum size of a profile in bytes: a header of 128 bytes and a tag count of 4.
    private static let minimumByteCount = 132

    /// The color space of the samples after `gamma` is applied.
    private(set) var colors = FileColors.assumed
    /// The conversion of the samples to the sRGB curve, or nil if none is needed.
    private(set) var gamma: PNGGamma?
    /// Whether libpng must ignore the gAMA chunk.
    ///
    /// It is ignored if cICP or a profile is used, because they are more accurate (PNG, section
    /// 4.3). It is also ignored if `gamma` converts the samples of the file.
    private(set) var overridesGamma = false

    /// The profile if samples must be converted before they are reduced to 8 bits; otherwise nil.
    ///
    /// Interlaced files are always reduced first, because all of their pixels are kept in memory.
    private(set) var wideProfile: ColorProfile?

    /// Reads the color information of `file`; throws if the profile has more than `limit` bytes.
    init(_ file: UnsafeBufferPointer<UInt8>, limit: Int) throws(ImageDecodingError) {
        if let profile = Self.codes(file) {
            colors = .lights(profile)
            overridesGamma = true
            wideProfile = Self.hasWideRows(file) ? colors.wideProfile : nil
            return
        }
        guard file.count > 25 else { return }
        if let profile = try Self.profile(in: file, limit: limit) {
            // Bit 1 of the color type is 0 for gray images, which need a gray profile.
            colors = FileColors(profile, isGray: file[25] & 2 == 0)
            overridesGamma = colors.isKnown
            wideProfile = Self.hasWideRows(file) ? colors.wideProfile : nil
            if overridesGamma { return }
        }
        readGamma(file)
    }

    /// Returns whether the samples have 16 bits and the file is not interlaced.
    private static func hasWideRows(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        file.count > 28 && file[24] == 16 && file[28] == 0
    }

    /// Reads the gAMA chunk and, if present, the cHRM chunk.
    ///
    /// As in browsers, cHRM without gAMA is ignored.
    private mutating func readGamma(_ file: UnsafeBufferPointer<UInt8>) {
        guard PNGChunks.range(of: "sRGB", before: "IDAT", in: file) == nil,
            let stored = PNGChunks.range(of: "gAMA", before: "IDAT", in: file), stored.count == 4
        else { return }
        let number = Int(PNGChunk.number(at: stored.lowerBound, in: file))
        guard PNGGamma.validNumbers.contains(number) else { return }
        var curve = ToneCurve.power(Double(PNGGamma.unit) / Double(number))
        if !PNGGamma.numbersNearSRGB.contains(number) {
            // libpng converts 16-bit samples before it reduces them to 8 bits.
            overridesGamma = file[24] <= 8
            gamma = PNGGamma(curve: overridesGamma ? curve : .power(PNGGamma.exponentOfLibpng))
            curve = .sRGB
        }
        guard let primaries = Self.chromaticities(file), !primaries.isNear(.sRGB),
            let colorants = primaries.colorants
        else { return }
        colors = .lights(ColorProfile(curves: [curve, curve, curve], colorants: colorants))
    }

    /// Reads the cHRM chunk: x and y of white, red, green and blue.
    private static func chromaticities(_ file: UnsafeBufferPointer<UInt8>) -> Chromaticities? {
        guard let chunk = PNGChunks.range(of: "cHRM", before: "IDAT", in: file), chunk.count == 32
        else { return nil }
        let points = stride(from: chunk.lowerBound, to: chunk.upperBound, by: 8).map { place in
            SIMD2(
                Double(PNGChunk.number(at: place, in: file)) / Double(PNGGamma.unit),
                Double(PNGChunk.number(at: place + 4, in: file)) / Double(PNGGamma.unit)
            )
        }
        guard points.allSatisfy({ $0.x <= 1 && $0.y <= 1 }) else { return nil }
        return Chromaticities(white: points[0], red: points[1], green: points[2], blue: points[3])
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
        return ColorCodes.profile(primaries: bytes[0], transfer: bytes[1], peak: peak(file))
    }

    /// Returns the luminance of the brightest color, in cd/m².
    ///
    /// It is in the cLLI chunk, or otherwise in the mDCV chunk, which describes the display of the
    /// author (PNG, third edition, sections 11.3.2.7 and 11.3.2.8).
    private static func peak(_ file: UnsafeBufferPointer<UInt8>) -> Double {
        let chunks: [(StaticString, Int, Int)] = [("cLLI", 8, 0), ("mDCV", 24, 16)]
        for (name, byteCount, offset) in chunks {
            guard let chunk = PNGChunks.range(of: name, before: "IDAT", in: file),
                chunk.count == byteCount
            else { continue }
            let number = PNGChunk.number(at: chunk.lowerBound + offset, in: file)
            if number > 0 { return Double(number) / 10_000 }
        }
        return HighDynamicRange.usualPeak
    }

    /// Returns the next `byteCount` inflated bytes, or fewer if the data ends or is damaged.
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

/// Converts 8-bit samples to the sRGB curve.
struct PNGGamma {
    /// The gAMA or cHRM number that represents 1.
    static let unit = 100_000
    /// The range of valid gAMA numbers; other numbers are considered damaged.
    static let validNumbers = 10_000...300_000
    /// The gAMA numbers that are treated as sRGB.
    static let numbersNearSRGB = 44_000...47_000
    /// The exponent to which libpng converts samples.
    static let exponentOfLibpng = 2.2

    private let levels: [UInt8]

    init(curve: ToneCurve) {
        levels = (0..<256).map { sample in
            let light = curve.light(of: Double(sample) / 255) * Double(SRGBTransfer.white)
            return SRGBTransfer.coded[Int(light.rounded())]
        }
    }

    /// Converts RGBA pixels in place; alpha is not changed.
    func convert(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        for place in stride(from: 0, to: pixels.count - 3, by: 4) {
            pixels[place] = levels[Int(pixels[place])]
            pixels[place + 1] = levels[Int(pixels[place + 1])]
            pixels[place + 2] = levels[Int(pixels[place + 2])]
        }
    }
}
