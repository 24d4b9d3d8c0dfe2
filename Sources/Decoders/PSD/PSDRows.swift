internal import CImageCodecs

/// Reads the rows of a merged image from top to bottom.
///
///     compression (16): 0 none, 1 run lengths (PackBits), 2 and 3 ZIP
///     | with run lengths: number of bytes (16, in PSB 32) of each row of each channel
///     | rows of the first channel | rows of the second channel | …
struct PSDRows {
    private let header: PSDHeader
    private let file: BigEndianBuffer
    private let inks: ColorTable?
    private let isCompressed: Bool
    /// The offset of the next row of each channel that is read.
    private var offsets: [Int]
    /// The current row of each channel that is read.
    private var samples: [[UInt8]]

    /// The number of bytes in the length of a compressed row.
    private var lengthSize: Int { header.isLarge ? 4 : 2 }

    /// Finds the channels; throws an error if their compression is not supported.
    init(
        _ header: PSDHeader,
        in buffer: UnsafeBufferPointer<UInt8>,
        inks: ColorTable?
    ) throws(ImageDecodingError) {
        self.header = header
        self.inks = inks
        file = BigEndianBuffer(bytes: buffer)
        guard let compression = file.uint16(at: header.dataOffset) else { throw .truncated(.psd) }
        guard compression != 2, compression != 3 else {
            throw .unsupportedFeature(.psd, "merged image with ZIP compression")
        }
        guard compression < 2 else { throw .corrupt(.psd, "compression \(compression)") }
        isCompressed = compression == 1
        let count = Self.channelCount(of: header)
        samples = Array(repeating: [UInt8](repeating: 0, count: header.rowByteCount), count: count)
        offsets = []
        offsets = isCompressed ? try compressedOffsets(count) : plainOffsets(count)
    }

    /// Returns the number of bytes of working memory needed, not counting the file.
    static func workByteCount(of header: PSDHeader) -> Int {
        header.rowByteCount.saturatingMultiply(by: channelCount(of: header))
    }

    private static func channelCount(of header: PSDHeader) -> Int {
        header.colorCount + (header.hasAlpha ? 1 : 0)
    }

    private func plainOffsets(_ count: Int) -> [Int] {
        let channelByteCount = header.rowByteCount * header.size.height
        return (0..<count).map { header.dataOffset + 2 + $0 * channelByteCount }
    }

    /// Adds up the lengths of the rows of all channels before each channel.
    private func compressedOffsets(_ count: Int) throws(ImageDecodingError) -> [Int] {
        let height = header.size.height
        var offset = header.dataOffset + 2 + header.channelCount * height * lengthSize
        var offsets: [Int] = []
        for channel in 0..<count {
            offsets.append(offset)
            guard channel + 1 < count else { break }
            for row in 0..<height {
                offset = offset.saturatingAdd(try length(ofRow: row, channel))
            }
        }
        return offsets
    }

    private func length(ofRow row: Int, _ channel: Int) throws(ImageDecodingError) -> Int {
        let place = header.dataOffset + 2 + (channel * header.size.height + row) * lengthSize
        guard let length = file.number(at: place, byteCount: lengthSize) else {
            throw .truncated(.psd)
        }
        return length
    }

    /// Writes the next row as R, G, B, A.
    ///
    /// `row` is the index of the row; rows must be read in order.
    mutating func read(
        _ row: Int,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(ImageDecodingError) {
        for channel in samples.indices { try readSamples(ofRow: row, channel) }
        convert(into: output)
        if header.hasAlpha { addAlpha(samples[header.colorCount], to: output) }
    }

    private mutating func readSamples(
        ofRow row: Int,
        _ channel: Int
    ) throws(ImageDecodingError) {
        let byteCount = isCompressed ? try length(ofRow: row, channel) : header.rowByteCount
        let start = offsets[channel]
        guard start <= file.bytes.count - byteCount else { throw .truncated(.psd) }
        let stored = UnsafeBufferPointer(rebasing: file.bytes[start..<start + byteCount])
        offsets[channel] += byteCount
        if isCompressed {
            guard PackBits.read(stored, into: &samples[channel]) else {
                throw .corrupt(.psd, "row with too few samples")
            }
        } else {
            samples[channel].withUnsafeMutableBufferPointer {
                _ = $0.update(fromContentsOf: stored)
            }
        }
    }

    private func convert(into output: UnsafeMutableBufferPointer<UInt8>) {
        switch header.mode {
        case .bitmap: convertBits(into: output)
        case .gray, .duotone, .multichannel:
            for channel in 0..<3 { copy(0, to: output, channel) }
        case .indexed: convertIndices(into: output)
        case .rgb:
            for channel in 0..<3 { copy(channel, to: output, channel) }
        case .lab: convertLab(into: output)
        case .cmyk:
            // As in JPEG files with an Adobe marker, the samples are the light that the inks
            // transmit.
            for channel in 0..<4 { copy(channel, to: output, channel) }
            return CMYKConversion.convert(output, color: .adobe, table: inks)
        }
        for column in 0..<header.size.width { output[column * 4 + 3] = 255 }
    }

    private func copy(
        _ channel: Int,
        to output: UnsafeMutableBufferPointer<UInt8>,
        _ place: Int
    ) {
        samples[channel].withUnsafeBufferPointer { samples in
            let levels = PSDLevels(samples, depth: header.depth)
            for column in 0..<header.size.width { output[column * 4 + place] = levels[column] }
        }
    }

    /// Converts bits, of which 1 is black.
    private func convertBits(into output: UnsafeMutableBufferPointer<UInt8>) {
        for column in 0..<header.size.width {
            let bit = samples[0][column / 8] >> (7 - column % 8) & 1
            for channel in 0..<3 { output[column * 4 + channel] = bit == 0 ? 255 : 0 }
        }
    }

    private func convertIndices(into output: UnsafeMutableBufferPointer<UInt8>) {
        let colorCount = PSDHeader.paletteByteCount / 3
        for column in 0..<header.size.width {
            for channel in 0..<3 {
                let place = channel * colorCount + Int(samples[0][column])
                output[column * 4 + channel] = file.bytes[header.colorDataOffset + place]
            }
        }
    }

    private func convertLab(into output: UnsafeMutableBufferPointer<UInt8>) {
        // The range of a 16-bit a* or b* also has 8 bits before the point.
        let unit = header.depth == 16 ? 256.0 : 1
        let highest = header.depth == 16 ? 65_535.0 : 255
        for column in 0..<header.size.width {
            let color = LabColor(
                lightness: number(column, in: samples[0]) / highest * 100,
                a: number(column, in: samples[1]) / unit - 128,
                b: number(column, in: samples[2]) / unit - 128
            )
            let levels = color.levels
            for channel in 0..<3 { output[column * 4 + channel] = levels[channel] }
        }
    }

    private func number(_ column: Int, in samples: [UInt8]) -> Double {
        guard header.depth == 16 else { return Double(samples[column]) }
        return Double(Int(samples[column * 2]) << 8 | Int(samples[column * 2 + 1]))
    }

    /// Adds the opacity, and removes the white that Photoshop has blended with the colors.
    private func addAlpha(_ samples: [UInt8], to output: UnsafeMutableBufferPointer<UInt8>) {
        samples.withUnsafeBufferPointer { samples in
            let levels = PSDLevels(samples, depth: header.depth, isLight: false)
            for column in 0..<header.size.width {
                let alpha = Int(levels[column])
                output[column * 4 + 3] = UInt8(alpha)
                guard alpha > 0, alpha < 255 else { continue }
                for place in column * 4..<column * 4 + 3 {
                    let light = max(0, Int(output[place]) - (255 - alpha))
                    output[place] = UInt8((light * 255 + alpha / 2) / alpha)
                }
            }
        }
    }
}
