/// Reads the pixels of a bitmap row by row.
struct BitmapPixels {
    private let bitmap: Bitmap
    private let file: UnsafeBufferPointer<UInt8>
    /// The decoded palette indices of a run-length encoded bitmap; otherwise empty.
    ///
    /// Pixels without an index have the value `BitmapRuns.gap`.
    private let indices: [UInt16]
    /// The number of rows that the file contains, up to the height of the image.
    ///
    /// If the file is truncated, the last rows in storage order are missing.
    let storedRowCount: Int

    init(_ bitmap: Bitmap, in file: UnsafeBufferPointer<UInt8>) {
        self.bitmap = bitmap
        self.file = file
        guard case .runs(let bitCount) = bitmap.coding else {
            indices = []
            let byteCount = max(0, file.count - bitmap.dataOffset)
            storedRowCount = min(bitmap.size.height, byteCount / max(1, bitmap.rowByteCount))
            return
        }
        let data = file.dropFirst(min(bitmap.dataOffset, file.count))
        var runs = BitmapRuns(size: bitmap.size, bitCount: bitCount)
        runs.read(UnsafeBufferPointer(rebasing: data))
        indices = runs.indices
        storedRowCount = runs.isComplete ? bitmap.size.height : runs.row
    }

    /// Returns the number of bytes of working memory needed for `bitmap`, not counting the file.
    static func workByteCount(of bitmap: Bitmap) -> Int {
        guard case .runs = bitmap.coding else { return 0 }
        return bitmap.size.pixelCount.saturatingMultiply(by: MemoryLayout<UInt16>.size)
    }

    /// Writes row `row` of the displayed image to `output` as R, G, B, A; does nothing if the file
    /// ends before that row.
    func read(_ row: Int, into output: UnsafeMutableBufferPointer<UInt8>) {
        let stored = bitmap.isTopDown ? row : bitmap.size.height - 1 - row
        guard stored < storedRowCount else { return }
        let start = bitmap.dataOffset + stored * bitmap.rowByteCount
        switch bitmap.coding {
        case .runs:
            let first = stored * bitmap.size.width
            for column in 0..<bitmap.size.width {
                write(color: Int(indices[first + column]), to: output, column)
            }
        case .palette(let bitCount):
            let perByte = 8 / bitCount
            for column in 0..<bitmap.size.width {
                let byte = Int(file[start + column / perByte])
                let shift = 8 - bitCount * (column % perByte + 1)
                write(color: byte >> shift & (1 << bitCount - 1), to: output, column)
            }
        case .channels(let channels, let byteCount):
            readChannels(channels, byteCount, from: start, into: output)
        }
    }

    private func write(
        color: Int,
        to output: UnsafeMutableBufferPointer<UInt8>,
        _ column: Int
    ) {
        // Colors that are missing from the palette are black, as in browsers.
        let isThere = color * 3 + 2 < bitmap.palette.count
        for channel in 0..<3 {
            output[column * 4 + channel] = isThere ? bitmap.palette[color * 3 + channel] : 0
        }
        output[column * 4 + 3] = 255
    }

    private func readChannels(
        _ channels: [BitmapChannel],
        _ byteCount: Int,
        from start: Int,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) {
        let isUsual = (0..<3).allSatisfy { channels[$0].isByte(at: 2 - $0) }
        let hasAlpha = bitmap.hasAlpha
        for column in 0..<bitmap.size.width {
            let (from, to) = (start + column * byteCount, column * 4)
            if isUsual, byteCount >= 3 {
                output[to] = file[from + 2]
                output[to + 1] = file[from + 1]
                output[to + 2] = file[from]
                output[to + 3] = hasAlpha && byteCount == 4 ? file[from + 3] : 255
                continue
            }
            var pixel = 0
            for index in 0..<byteCount { pixel |= Int(file[from + index]) << (index * 8) }
            for channel in 0..<3 { output[to + channel] = channels[channel].value(of: pixel) }
            output[to + 3] = channels.count > 3 ? channels[3].value(of: pixel) : 255
        }
    }
}

/// A decoder for run-length encoded palette indices (BI_RLE4 and BI_RLE8).
///
/// Each run consists of a pixel count and a palette index, or of 0 and a command.
private struct BitmapRuns {
    /// The index of pixels that are not in any run; they are black, as in Chromium.
    static let gap = UInt16.max

    private(set) var indices: [UInt16]
    private(set) var isComplete = false
    /// The current row in storage order.
    private(set) var row = 0
    private var column = 0
    private let size: PixelSize
    private let bitCount: Int

    init(size: PixelSize, bitCount: Int) {
        self.size = size
        self.bitCount = bitCount
        indices = [UInt16](repeating: Self.gap, count: size.pixelCount)
    }

    mutating func read(_ data: UnsafeBufferPointer<UInt8>) {
        var offset = 0
        while offset + 1 < data.count, row < size.height {
            let (count, value) = (Int(data[offset]), Int(data[offset + 1]))
            offset += 2
            guard count == 0 else {
                for index in 0..<count { put(half(index, of: value)) }
                continue
            }
            switch value {
            case 0: (row, column) = (row + 1, 0)
            case 1:
                isComplete = true
                return
            case 2:
                guard offset + 1 < data.count else { return }
                column += Int(data[offset])
                row += Int(data[offset + 1])
                offset += 2
            default:
                // `value` literal pixels, padded to a multiple of 16 bits.
                let byteCount = bitCount == 8 ? value : (value + 1) / 2
                guard offset + byteCount <= data.count else { return }
                for index in 0..<value {
                    let byte = Int(data[offset + (bitCount == 8 ? index : index / 2)])
                    put(half(index, of: byte))
                }
                offset += (byteCount + 1) & ~1
            }
        }
        isComplete = row >= size.height
    }

    /// Returns the palette index in `byte` for the pixel at position `index` of a run.
    ///
    /// With 4 bits per pixel, the upper half of the byte applies to pixels at even positions, and
    /// the lower half to pixels at odd positions.
    private func half(_ index: Int, of byte: Int) -> UInt8 {
        guard bitCount == 4 else { return UInt8(byte) }
        return UInt8(index.isMultiple(of: 2) ? byte >> 4 : byte & 15)
    }

    private mutating func put(_ index: UInt8) {
        if row < size.height, column < size.width {
            indices[row * size.width + column] = UInt16(index)
        }
        column += 1
    }
}
