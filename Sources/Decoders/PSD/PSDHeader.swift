/// The parts of a Photoshop document that precede its merged image.
///
///     "8BPS" | version (16: 1, or 2 for PSB) | 0 (48) | channels (16) | height (32) | width (32)
///     | bits per channel (16) | color mode (16) | length (32) and color data
///     | length (32) and resources | length (32, in PSB 64) and layers | merged image
///
/// Sizes in parentheses are in bits; numbers are big-endian. See "Adobe Photoshop File Formats
/// Specification".
struct PSDHeader {
    enum Mode: Int {
        case bitmap = 0
        case gray = 1
        case indexed = 2
        case rgb = 3
        case cmyk = 4
        case multichannel = 7
        /// Gray that is printed with other inks than black; shown as gray.
        case duotone = 8
        case lab = 9
    }

    static let byteCount = 26
    /// The number of bytes in the palette of an indexed image: all red, green and blue values.
    static let paletteByteCount = 768
    /// The maximum number of channels (section "File Header").
    private static let maximumChannelCount = 56

    let size: PixelSize
    let mode: Mode
    let channelCount: Int
    /// The number of bits per channel: 1, 8, 16 or 32.
    let depth: Int
    /// Whether the document is a PSB, some of whose lengths have twice as many bytes.
    let isLarge: Bool
    /// The offset of the color data, which is the palette of an indexed image.
    let colorDataOffset = PSDHeader.byteCount + 4
    /// The position of the ICC profile.
    let profile: Range<Int>?
    /// Whether the layers declare that the merged image has transparency.
    private let hasTransparency: Bool
    /// The offset of the merged image.
    let dataOffset: Int

    /// The number of channels that contain colors.
    var colorCount: Int {
        switch mode {
        case .bitmap, .gray, .indexed, .duotone, .multichannel: 1
        case .rgb, .lab: 3
        case .cmyk: 4
        }
    }

    /// Whether the channel after the colors is the opacity of the merged image.
    var hasAlpha: Bool { hasTransparency && channelCount > colorCount }

    /// The number of bytes in a row of a channel.
    var rowByteCount: Int { depth == 1 ? (size.width + 7) / 8 : size.width * depth / 8 }

    /// Reads the parts; throws an error if the merged image is missing or not supported.
    init(_ buffer: UnsafeBufferPointer<UInt8>) throws(ImageDecodingError) {
        let file = BigEndianBuffer(bytes: buffer)
        guard buffer.count >= Self.byteCount, let number = file.uint16(at: 24),
            let height = file.uint32(at: 14), let width = file.uint32(at: 18)
        else { throw .truncated(.psd) }
        guard let mode = Mode(rawValue: number) else {
            throw .corrupt(.psd, "color mode \(number)")
        }
        self.mode = mode
        size = PixelSize(width: width, height: height)
        channelCount = file.uint16(at: 12) ?? 0
        depth = file.uint16(at: 22) ?? 0
        isLarge = buffer[5] == 2
        guard let colorLength = file.uint32(at: Self.byteCount),
            let resources = PSDResources(file, at: colorDataOffset + colorLength),
            let layers = PSDLayers(file, at: resources.end, isLarge: isLarge)
        else { throw .truncated(.psd) }
        profile = resources.profile
        dataOffset = layers.end
        hasTransparency = layers.hasTransparency
        try checkSupport(resources)
        guard channelCount >= colorCount, channelCount <= Self.maximumChannelCount else {
            throw .corrupt(.psd, "\(channelCount) channels")
        }
        guard mode != .indexed || colorLength >= Self.paletteByteCount else {
            throw .corrupt(.psd, "palette of \(colorLength) bytes")
        }
    }

    /// Throws an error if the mode or the depth is not supported, or if there is no merged image.
    private func checkSupport(_ resources: PSDResources) throws(ImageDecodingError) {
        guard mode != .multichannel else {
            throw .unsupportedFeature(.psd, "multichannel color")
        }
        guard depths.contains(depth) else {
            throw .unsupportedFeature(.psd, "\(depth)-bit channels in this color mode")
        }
        guard resources.hasMergedImage else {
            throw .unsupportedFeature(.psd, "documents saved without Maximize Compatibility")
        }
    }

    /// The permitted numbers of bits per channel.
    private var depths: [Int] {
        switch mode {
        case .bitmap: [1]
        case .indexed: [8]
        case .gray, .duotone, .rgb: [8, 16, 32]
        case .cmyk, .lab: [8, 16]
        case .multichannel: []
        }
    }
}
