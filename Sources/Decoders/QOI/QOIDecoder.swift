extension ImageFormat {
    /// The "Quite OK Image Format", version 1.0.
    public static let qoi = ImageFormat(
        rawValue: "qoi",
        displayName: "QOI",
        fileSuffixes: ["qoi"],
        mediaTypes: ["image/qoi"]
    )
}

/// A decoder that reads QOI files one row at a time.
///
///     "qoif" | width (32) | height (32) | channels (8: 3 or 4) | color space (8) | pixels
///
/// Sizes in parentheses are in bits; numbers are big-endian. The specification is one page:
/// qoiformat.org.
public struct QOIDecoder: InPlaceDecoder {
    /// The QOI format.
    public var format: ImageFormat { .qoi }

    private static let headerByteCount = 14

    /// Creates a decoder.
    public init() {}

    /// Returns whether the bytes start with the QOI signature.
    ///
    /// In text, a printable character follows the signature; in an image, the first byte of the
    /// width does.
    public func canDecode(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: "qoif".utf8) && (prefix.count < 5 || prefix[4] < 0x09)
    }

    /// Reads the image properties from the header without decoding pixels.
    public func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        guard buffer.count >= Self.headerByteCount else { throw .truncated(.qoi) }
        let number = { (start: Int) in
            buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return ImageProperties(
            format: .qoi,
            size: PixelSize(width: number(4), height: number(8)),
            orientation: 1,
            hasAlpha: buffer[12] != 3,
            isProgressive: false
        )
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let plan = try DecodingPlan(properties: probe(buffer), options: options)
        let size = plan.storedSize
        try plan.checkMemory(
            (size.width * 4 * RowCollector.stripRowCount)
                .saturatingAdd(RowCollector.workByteCount(plan: plan))
        )
        let data = buffer.dropFirst(Self.headerByteCount)
        var pixels = QOIPixels(data: UnsafeBufferPointer(rebasing: data))
        var collector = RowCollector(plan: plan, step: 1)
        let rowCount = try collector.collect(rowCount: size.height, plan: plan) {
            (strip, _, rowCount) throws(ImageDecodingError) in
            pixels.read(into: strip, pixelCount: rowCount * size.width) / size.width
        }
        try plan.checkRows(rowCount, of: size.height)
        let damage = rowCount == size.height ? pixels.damageAtEnd : nil
        if let damage, !plan.passesOver(damage) { throw damage }
        collector.addMissing(rowCount: size.height - rowCount)
        return try plan.image(
            from: collector.finish(),
            isFinal: rowCount == size.height && damage == nil
        )
    }
}

/// A decoder for the pixels of a QOI file.
private struct QOIPixels {
    private let data: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private var pixel = SIMD4<UInt8>(0, 0, 0, 255)
    private var seen = [SIMD4<UInt8>](repeating: .zero, count: 64)
    /// The number of remaining repetitions of the current pixel.
    private var run = 0

    private static let endMarker: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

    init(data: UnsafeBufferPointer<UInt8>) { self.data = data }

    /// The error if the end marker is missing after the last pixel; otherwise nil.
    var damageAtEnd: ImageDecodingError? {
        let rest = data.dropFirst(offset).prefix(Self.endMarker.count)
        if rest.elementsEqual(Self.endMarker) { return nil }
        return rest.count < Self.endMarker.count
            ? .truncated(.qoi) : .corrupt(.qoi, "data after the last pixel")
    }

    /// Writes up to `pixelCount` pixels as R, G, B, A and returns the number of pixels written.
    mutating func read(into output: UnsafeMutableBufferPointer<UInt8>, pixelCount: Int) -> Int {
        for index in 0..<pixelCount {
            if run > 0 {
                run -= 1
            } else if !readChunk() {
                return index
            }
            output[index * 4] = pixel.x
            output[index * 4 + 1] = pixel.y
            output[index * 4 + 2] = pixel.z
            output[index * 4 + 3] = pixel.w
        }
        return pixelCount
    }

    /// Reads the next chunk; returns false at the end of the data.
    private mutating func readChunk() -> Bool {
        guard offset < data.count else { return false }
        let tag = data[offset]
        let byteCount = tag == 0xFF ? 5 : tag == 0xFE ? 4 : tag >> 6 == 2 ? 2 : 1
        guard offset + byteCount <= data.count else { return false }
        switch tag {
        case 0xFE, 0xFF:
            pixel.x = data[offset + 1]
            pixel.y = data[offset + 2]
            pixel.z = data[offset + 3]
            if tag == 0xFF { pixel.w = data[offset + 4] }
        case 0..<64: pixel = seen[Int(tag)]
        case 64..<128:
            pixel.x &+= (tag >> 4 & 3) &- 2
            pixel.y &+= (tag >> 2 & 3) &- 2
            pixel.z &+= (tag & 3) &- 2
        case 128..<192:
            let green = (tag & 63) &- 32
            let rest = data[offset + 1]
            pixel.x &+= green &+ (rest >> 4) &- 8
            pixel.y &+= green
            pixel.z &+= green &+ (rest & 15) &- 8
        default: run = Int(tag & 63)
        }
        offset += byteCount
        let (red, green) = (Int(pixel.x) * 3, Int(pixel.y) * 5)
        let place = red + green + Int(pixel.z) * 7 + Int(pixel.w) * 11
        seen[place & 63] = pixel
        return true
    }
}
