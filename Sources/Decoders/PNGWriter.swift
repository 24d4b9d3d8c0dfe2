internal import CImageCodecs

/// Creates PNG files from prepared samples.
///
/// Use this type for images with optimized filters or an optimized palette; `PNGEncoder` encodes
/// any image. libdeflate compresses the data. The functions block until the data is compressed, and
/// return nil if memory runs out or the image is empty.
package enum PNGWriter {
    /// Returns a file of 8-bit RGB samples.
    ///
    /// Each row starts with its filter number, 0 to 4 (PNG specification, section 9).
    package static func rgb(filteredRows rows: [UInt8], size: PixelSize, level: Int) -> [UInt8]? {
        precondition(rows.count == size.height * (1 + size.width * 3), "rows of another size")
        return file(size: size, bitDepth: 8, colorType: 2, palette: [], rows: rows, level: level)
    }

    /// Returns a file with a palette of up to 256 colors.
    ///
    /// `indices` contains one byte per pixel, and `palette` contains R, G, B for each color.
    ///
    /// The bit depth is the smallest possible for the number of colors. Rows are not filtered,
    /// because filters do not help to compress indices.
    package static func indexed(
        _ indices: [UInt8],
        palette: [UInt8],
        size: PixelSize,
        level: Int
    ) -> [UInt8]? {
        precondition(indices.count == size.pixelCount, "indices of another size")
        let bitDepth = bitDepth(colorCount: palette.count / 3)
        let rows = packed(indices, width: size.width, bitDepth: bitDepth)
        return file(
            size: size,
            bitDepth: UInt8(bitDepth),
            colorType: 3,
            palette: palette,
            rows: rows,
            level: level
        )
    }

    /// Returns the zlib stream (RFC 1950) of `bytes`, or nil if memory runs out.
    ///
    /// `level` ranges from 1 (fastest) to 12 (smallest).
    package static func zlibStream(of bytes: [UInt8], level: Int) -> [UInt8]? {
        var output = cic_buffer()
        defer { cic_buffer_free(&output) }
        let status = bytes.withUnsafeBufferPointer { buffer in
            // An empty array may have no base address; with a count of 0, libdeflate does not read
            // the byte.
            var none: UInt8 = 0
            guard let start = buffer.baseAddress else {
                return cic_deflate(&none, 0, Int32(level), &output)
            }
            return cic_deflate(start, buffer.count, Int32(level), &output)
        }
        guard status == .ok else { return nil }
        return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
    }

    // MARK: - Rows of indices

    private static func bitDepth(colorCount: Int) -> Int {
        switch colorCount {
        case ...2: 1
        case ...4: 2
        case ...16: 4
        default: 8
        }
    }

    /// Returns the rows of indices, packed into bytes; each row starts with filter number 0.
    ///
    /// The leftmost pixel is in the highest bits of a byte.
    private static func packed(_ indices: [UInt8], width: Int, bitDepth: Int) -> [UInt8] {
        guard width > 0 else { return [] }
        let perByte = 8 / bitDepth
        var rows: [UInt8] = []
        rows.reserveCapacity(indices.count / width * (1 + (width + perByte - 1) / perByte))
        for start in stride(from: 0, to: indices.count, by: width) {
            rows.append(0)
            let row = indices[start..<(start + width)]
            guard bitDepth < 8 else {
                rows += row
                continue
            }
            for first in stride(from: row.startIndex, to: row.endIndex, by: perByte) {
                var byte: UInt8 = 0
                for (place, index) in row[first..<min(first + perByte, row.endIndex)].enumerated() {
                    byte |= index << UInt8(8 - bitDepth * (place + 1))
                }
                rows.append(byte)
            }
        }
        return rows
    }

    // MARK: - Chunks

    /// Returns a file that contains only the signature and the required chunks.
    ///
    ///     signature | IHDR width, height, depth, color type, 0, 0, 0 | PLTE | IDAT | IEND
    private static func file(
        size: PixelSize,
        bitDepth: UInt8,
        colorType: UInt8,
        palette: [UInt8],
        rows: [UInt8],
        level: Int
    ) -> [UInt8]? {
        let side = Int(Int32.max)
        guard !size.isEmpty, size.width <= side, size.height <= side else { return nil }
        guard let data = zlibStream(of: rows, level: level) else { return nil }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file.reserveCapacity(data.count + palette.count + 80)
        let header = bigEndian(UInt32(size.width)) + bigEndian(UInt32(size.height))
        append("IHDR", header + [bitDepth, colorType, 0, 0, 0], to: &file)
        if !palette.isEmpty { append("PLTE", palette, to: &file) }
        append("IDAT", data, to: &file)
        append("IEND", [], to: &file)
        return file
    }

    private static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
        file += bigEndian(UInt32(data.count))
        let start = file.count
        file += type.utf8
        file += data
        let checksum = file[start...].withUnsafeBufferPointer { checked in
            checked.baseAddress.map { cic_crc32(0, $0, checked.count) } ?? 0
        }
        file += bigEndian(checksum)
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
