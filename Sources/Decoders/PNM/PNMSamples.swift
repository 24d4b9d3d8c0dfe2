/// Reads the samples of a Netpbm image row by row.
struct PNMSamples {
    private let header: PNMHeader
    private let file: UnsafeBufferPointer<UInt8>
    private let depth: Int
    /// The position of the next sample if the samples are text.
    private var scanner: PNMScanner
    /// The scaled 8-bit value of each sample from 0 to 255.
    private let values: [UInt8]

    init(_ header: PNMHeader, in file: UnsafeBufferPointer<UInt8>) {
        self.header = header
        self.file = file
        depth = header.depth
        scanner = PNMScanner(file, at: header.dataOffset)
        let maximum = header.maximum
        values = (0..<256).map { Self.scaled($0, maximum) }
    }

    /// Returns a sample scaled from the range `0...maximum` to the range `0...255`.
    private static func scaled(_ sample: Int, _ maximum: Int) -> UInt8 {
        UInt8((min(sample, maximum) * 255 + maximum / 2) / maximum)
    }

    private func scaled(_ sample: Int) -> UInt8 {
        sample < 256 ? values[sample] : Self.scaled(sample, header.maximum)
    }

    /// The number of rows that are missing at the top of the image.
    ///
    /// The value is 0 except for floating-point samples, because in the other encodings, missing
    /// rows are at the bottom.
    var missingTopRowCount: Int {
        guard case .float = header.samples, header.rowByteCount > 0 else { return 0 }
        return header.height
            - min(header.height, (file.count - header.dataOffset) / header.rowByteCount)
    }

    /// Writes the next row as R, G, B, A.
    ///
    /// `row` is the index of the row; text samples are read in order, regardless of the index.
    mutating func read(
        _ row: Int,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(ImageDecodingError) {
        switch header.samples {
        case .text: try readText(into: output)
        case .textBits:
            for column in 0..<header.width {
                write(try bit() == 0 ? 255 : 0, sample: 0, of: column, to: output)
            }
        case .bits:
            let start = try start(ofRow: row)
            for column in 0..<header.width {
                let bit = file[start + column / 8] >> (7 - column % 8) & 1
                write(bit == 0 ? 255 : 0, sample: 0, of: column, to: output)
            }
        case .binary: readBinary(from: try start(ofRow: row), into: output)
        case .float(let isLittleEndian):
            let start = try start(ofRow: header.height - 1 - row)
            readFloats(from: start, isLittleEndian: isLittleEndian, into: output)
        }
    }

    /// Returns the offset of a row; throws an error if the file does not contain the entire row.
    private func start(ofRow row: Int) throws(ImageDecodingError) -> Int {
        let start = header.dataOffset + row * header.rowByteCount
        guard start <= file.count - header.rowByteCount else { throw .truncated(.pnm) }
        return start
    }

    private func readBinary(from start: Int, into output: UnsafeMutableBufferPointer<UInt8>) {
        let byteCount = header.maximum > 255 ? 2 : 1
        var place = start
        for column in 0..<header.width {
            for sample in 0..<depth {
                let value =
                    byteCount == 1
                    ? values[Int(file[place])]
                    : scaled(Int(file[place]) << 8 | Int(file[place + 1]))
                write(value, sample: sample, of: column, to: output)
                place += byteCount
            }
        }
    }

    private func readFloats(
        from start: Int,
        isLittleEndian: Bool,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) {
        let bytes = UnsafeRawBufferPointer(file)
        for column in 0..<header.width {
            for sample in 0..<depth {
                let place = start + (column * depth + sample) * 4
                let stored = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let bits = isLittleEndian ? UInt32(littleEndian: stored) : UInt32(bigEndian: stored)
                let value = Float(bitPattern: bits)
                // A comparison with NaN is false, so NaN becomes 0.
                let clipped = value > 0 ? min(value, 1) : 0
                write(UInt8((clipped * 255).rounded()), sample: sample, of: column, to: output)
            }
        }
    }

    private mutating func readText(
        into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(ImageDecodingError) {
        for column in 0..<header.width {
            for sample in 0..<depth {
                let number: Int
                do throws(PNMScanner.Problem) {
                    number = try scanner.number()
                } catch {
                    throw Self.error(error)
                }
                write(scaled(number), sample: sample, of: column, to: output)
            }
        }
    }

    private mutating func bit() throws(ImageDecodingError) -> Int {
        do throws(PNMScanner.Problem) {
            return try scanner.bit()
        } catch {
            throw Self.error(error)
        }
    }

    private static func error(_ problem: PNMScanner.Problem) -> ImageDecodingError {
        problem == .end ? .truncated(.pnm) : .corrupt(.pnm, "a sample that is not a number")
    }

    /// Writes one sample of a pixel: gray, red, green, blue or alpha.
    private func write(
        _ value: UInt8,
        sample: Int,
        of column: Int,
        to output: UnsafeMutableBufferPointer<UInt8>
    ) {
        let pixel = column * 4
        guard depth < 3 else {
            output[pixel + sample] = value
            if depth == 3 { output[pixel + 3] = 255 }
            return
        }
        guard sample == 0 else {
            output[pixel + 3] = value
            return
        }
        for channel in 0..<3 { output[pixel + channel] = value }
        output[pixel + 3] = 255
    }
}
