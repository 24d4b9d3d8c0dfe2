/// The header of a TGA file.
///
///     length of the ID (8) | color map (8: 0 or 1) | image type (8) | first color (16)
///     | number of colors (16) | bits of a color (8) | x (16) | y (16) | width (16) | height (16)
///     | bits of a pixel (8) | attribute bits and origin (8) | ID | color map | pixels
///
/// Sizes in parentheses are in bits; numbers are little-endian. See "Truevision TGA File Format
/// Specification", version 2.0.
struct TGAHeader {
    /// The meaning of the pixels.
    enum Kind {
        /// Indices of colors in the color map.
        case mapped
        /// Blue, green, red and optionally alpha.
        case color
        /// Gray and optionally alpha.
        case gray
    }

    static let byteCount = 18

    let kind: Kind
    let isRunLengthEncoded: Bool
    let size: PixelSize
    /// The number of bytes per pixel, 1 to 4.
    let pixelByteCount: Int
    /// Whether the pixels, or the colors of the color map, have an alpha channel.
    let hasAlpha: Bool
    let isTopDown: Bool
    /// Whether rows are stored from right to left.
    let isMirrored: Bool
    /// The index of the first color in the color map.
    let firstColor: Int
    let colorCount: Int
    /// The number of bytes per color in the color map, 2 to 4, or 0 without a color map.
    let colorByteCount: Int
    /// The offset of the color map.
    let mapOffset: Int

    /// The offset of the first pixel or packet.
    var dataOffset: Int { mapOffset + colorCount * colorByteCount }

    /// Reads the header; returns nil if it is incomplete or if its fields are inconsistent.
    ///
    /// TGA files have no signature, so every field is checked.
    init?(_ file: UnsafeBufferPointer<UInt8>) {
        guard file.count >= Self.byteCount else { return nil }
        let bytes = LittleEndianBytes(bytes: file)
        // An image without indices may have a color map, which is not used.
        let hasMap = file[1] == 1
        guard let kind = Self.kind(file[2]), file[1] <= 1, hasMap || kind != .mapped else {
            return nil
        }
        self.kind = kind
        isRunLengthEncoded = file[2] & 8 != 0
        size = PixelSize(width: bytes.uint16(at: 12) ?? 0, height: bytes.uint16(at: 14) ?? 0)
        let (pixelBits, alphaBits) = (Int(file[16]), Int(file[17] & 15))
        pixelByteCount = (pixelBits + 7) / 8
        isTopDown = file[17] & 0x20 != 0
        isMirrored = file[17] & 0x10 != 0
        firstColor = bytes.uint16(at: 3) ?? 0
        colorCount = bytes.uint16(at: 5) ?? 0
        colorByteCount = hasMap ? (Int(file[7]) + 7) / 8 : 0
        mapOffset = Self.byteCount + Int(file[0])
        // Some programs declare no attribute bits for gray with alpha.
        hasAlpha =
            kind == .gray
            ? pixelBits == 16
            : alphaBits > 0 && [16, 32].contains(kind == .mapped ? Int(file[7]) : pixelBits)
        guard !size.isEmpty, file[17] & 0xC0 == 0, alphaBits <= 8,
            Self.pixelBits(of: kind).contains(pixelBits),
            hasMap
                ? colorCount > 0 && Self.colorBits.contains(Int(file[7]))
                : firstColor == 0 && colorCount == 0
        else { return nil }
    }

    private static let colorBits = [15, 16, 24, 32]

    private static func kind(_ number: UInt8) -> Kind? {
        switch number {
        case 1, 9: .mapped
        case 2, 10: .color
        case 3, 11: .gray
        default: nil
        }
    }

    private static func pixelBits(of kind: Kind) -> [Int] {
        kind == .color ? colorBits : [8, 16]
    }
}
