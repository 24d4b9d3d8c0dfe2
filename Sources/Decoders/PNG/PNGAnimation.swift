internal import CImageCodecs

/// The frames of an animated PNG (PNG, third edition, section 11.3.2), each converted to a separate
/// PNG file.
///
/// A control chunk describes a frame and precedes its data. The layout of a control chunk, with
/// sizes in bits:
///
///     number (32) | width (32) | height (32) | x (32) | y (32)
///     | delay (16) | parts of a second (16, 0: 100) | disposal (8) | blending (8)
///
/// The first frame can use the image itself, in IDAT chunks. The other frames use fdAT chunks,
/// which contain a sequence number followed by the same data as IDAT.
struct PNGAnimation {
    /// The number of loops, or nil to loop forever.
    let loopCount: Int?
    /// Whether the image itself is not a frame, so only programs without animation support display
    /// it.
    let hidesImage: Bool

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The data of the IHDR chunk.
    private let header: [UInt8]
    private let imageSize: PixelSize
    /// The chunks that precede the pixel data and are needed to decode it, such as the palette.
    private let definitions: [UInt8]
    private var offset = 8
    private var control: Range<Int>?

    private static let controlByteCount = 26
    private static let definitionTypes = ["PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP"]

    /// Reads the control chunks of a file; returns nil if the file is not animated.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let control = PNGChunks.range(of: "acTL", before: "IDAT", in: bytes),
            control.count == 8,
            (1...UInt32(Int32.max)).contains(PNGChunk.number(at: control.lowerBound, in: bytes)),
            let header = PNGChunks.range(of: "IHDR", in: bytes), header.count == 13
        else { return nil }
        let count = PNGChunk.number(at: control.lowerBound + 4, in: bytes)
        loopCount = count == 0 ? nil : Int(count)
        hidesImage =
            PNGChunks.range(of: "fcTL", before: "IDAT", in: bytes) == nil
            && PNGChunks.range(of: "fdAT", in: bytes) != nil
        self.bytes = bytes
        self.header = Array(bytes[header])
        imageSize = PixelSize(
            width: Int(PNGChunk.number(at: header.lowerBound, in: bytes)),
            height: Int(PNGChunk.number(at: header.lowerBound + 4, in: bytes))
        )
        definitions = Self.definitions(in: bytes)
    }

    private static func definitions(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let types = Set(
            definitionTypes.map { $0.utf8.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } }
        )
        var (offset, definitions): (Int, [UInt8]) = (8, [])
        while let chunk = PNGChunk(at: offset, in: bytes), chunk.end <= bytes.count,
            chunk.type != PNGChunk.type("IDAT")
        {
            if types.contains(chunk.type) { definitions += bytes[offset..<chunk.end] }
            offset = chunk.end
        }
        return definitions
    }

    /// Reads the next frame, or returns nil at the end of the file.
    ///
    /// Calls `check` with the size of the frame before reading the pixels.
    mutating func readNextFrame(
        _ options: DecodingOptions,
        _ check: (PixelSize) throws(ImageDecodingError) -> Void
    ) throws(ImageDecodingError) -> Film.Frame? {
        guard let (control, data) = nextData() else { return nil }
        let number = { [bytes] (place: Int) in
            Int(PNGChunk.number(at: control + place, in: bytes))
        }
        let size = PixelSize(width: number(4), height: number(8))
        var frame = Film.Frame(
            area: PixelRect(x: number(12), y: number(16), width: size.width, height: size.height),
            duration: delay(at: control + 20),
            disposal: disposal(bytes[control + 24]),
            isBlended: bytes[control + 25] == 1
        )
        // A frame without pixels, or larger than the image, is treated as damaged.
        guard !size.isEmpty, size.isInside(imageSize) else {
            frame.damage = .corrupt(.png, "a frame of \(size) pixels")
            return frame
        }
        try check(size)
        let file = file(of: data, frame: Array(bytes[(control + 4)..<(control + 12)]))
        do throws(ImageDecodingError) {
            frame.pixels = try PNGDecoder().decode(file, options: options).pixels.bytes
        } catch {
            frame.damage = error
        }
        return frame
    }

    /// Returns the offset of the next frame's control data and the ranges of its pixel data, or nil
    /// at the end of the file.
    private mutating func nextData() -> (control: Int, data: [Range<Int>])? {
        var data: [Range<Int>] = []
        while let chunk = PNGChunk(at: offset, in: bytes), chunk.end <= bytes.count {
            if chunk.type == PNGChunk.type("fcTL"), chunk.data.count == Self.controlByteCount {
                if control != nil, !data.isEmpty { break }
                control = chunk.data
            } else if chunk.type == PNGChunk.type("IDAT"), control != nil {
                data.append(chunk.data)
            } else if chunk.type == PNGChunk.type("fdAT"), control != nil, chunk.data.count > 4 {
                data.append(chunk.data.dropFirst(4))
            }
            offset = chunk.end
        }
        defer { control = nil }
        guard let control, !data.isEmpty else { return nil }
        return (control.lowerBound, data)
    }

    private func delay(at offset: Int) -> Duration {
        let parts = bytes[offset..<offset + 4].map(Int.init)
        let (count, unit) = (parts[0] << 8 | parts[1], parts[2] << 8 | parts[3])
        return .milliseconds(count * 1_000 / (unit == 0 ? 100 : unit))
    }

    private func disposal(_ value: UInt8) -> FrameDisposal {
        switch value {
        case 1: .clear
        case 2: .restore
        default: .keep
        }
    }

    /// Returns a PNG that contains one frame.
    ///
    /// `frame` contains the width and the height of the frame.
    private func file(of data: [Range<Int>], frame: [UInt8]) -> [UInt8] {
        var file = Array(bytes.prefix(8))
        file += Self.chunk("IHDR", frame + header[8...])
        file += definitions
        for range in data { file += Self.chunk("IDAT", Array(bytes[range])) }
        return file + Self.chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        let sum = body.withUnsafeBufferPointer { body in
            body.baseAddress.map { cic_crc32(0, $0, body.count) } ?? 0
        }
        return bigEndian(UInt32(data.count)) + body + bigEndian(sum)
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}
