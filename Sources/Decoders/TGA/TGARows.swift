/// Reads the rows of a TGA file in any order.
struct TGARows {
    private let header: TGAHeader
    private let file: UnsafeBufferPointer<UInt8>
    /// The position of each complete row of a run-length encoded image; otherwise empty.
    private let starts: [TGAPackets]
    /// The number of rows that the file contains, up to the height of the image.
    ///
    /// If the file is truncated, the last rows in storage order are missing.
    let storedCount: Int

    /// Finds the rows; calls the cancellation check of `plan` every few rows.
    init(
        _ header: TGAHeader,
        in file: UnsafeBufferPointer<UInt8>,
        _ plan: DecodingPlan
    ) throws(ImageDecodingError) {
        self.header = header
        self.file = file
        guard header.isRunLengthEncoded else {
            starts = []
            let rowByteCount = header.size.width * header.pixelByteCount
            let byteCount = max(0, file.count - header.dataOffset)
            storedCount = min(header.size.height, byteCount / rowByteCount)
            return
        }
        starts = try Self.starts(header, in: file, plan)
        storedCount = starts.count
    }

    /// Returns the number of bytes of working memory needed, not counting the file.
    static func workByteCount(of header: TGAHeader) -> Int {
        header.isRunLengthEncoded ? header.size.height * MemoryLayout<TGAPackets>.stride : 0
    }

    /// Packets may cross the ends of rows, so a row can start inside a packet.
    private static func starts(
        _ header: TGAHeader,
        in file: UnsafeBufferPointer<UInt8>,
        _ plan: DecodingPlan
    ) throws(ImageDecodingError) -> [TGAPackets] {
        var packets = TGAPackets(offset: header.dataOffset, pixelByteCount: header.pixelByteCount)
        var starts: [TGAPackets] = []
        for row in 0..<header.size.height {
            if row.isMultiple(of: RowCollector.stripRowCount) { try plan.checkCancellation() }
            let start = packets
            guard packets.skip(header.size.width, in: file) else { break }
            starts.append(start)
        }
        return starts
    }

    /// Writes row `row` of the displayed image to `output` as R, G, B, A.
    ///
    /// The file must contain the row.
    func read(_ row: Int, into output: UnsafeMutableBufferPointer<UInt8>) {
        let stored = header.isTopDown ? row : header.size.height - 1 - row
        let width = header.size.width
        var packets = header.isRunLengthEncoded ? starts[stored] : nil
        var offset = header.dataOffset + stored * width * header.pixelByteCount
        for column in 0..<width {
            if let next = packets?.next(in: file) { offset = next }
            let pixel = (header.isMirrored ? width - 1 - column : column) * 4
            write(at: offset, to: output, pixel)
            offset += header.pixelByteCount
        }
    }

    private func write(
        at offset: Int,
        to output: UnsafeMutableBufferPointer<UInt8>,
        _ pixel: Int
    ) {
        switch header.kind {
        case .color: writeColor(at: offset, header.pixelByteCount, to: output, pixel)
        case .gray:
            for channel in 0..<3 { output[pixel + channel] = file[offset] }
            output[pixel + 3] = header.hasAlpha ? file[offset + 1] : 255
        case .mapped:
            let high = header.pixelByteCount == 2 ? Int(file[offset + 1]) << 8 : 0
            let color = high + Int(file[offset]) - header.firstColor
            let place = header.mapOffset + color * header.colorByteCount
            // Colors that are missing from the color map are black, as in BMP files.
            guard (0..<header.colorCount).contains(color) else {
                for channel in 0..<3 { output[pixel + channel] = 0 }
                output[pixel + 3] = 255
                return
            }
            writeColor(at: place, header.colorByteCount, to: output, pixel)
        }
    }

    /// Writes a color of 2 to 4 bytes; 2 bytes are 1 bit of alpha and 5 bits each of red, green and
    /// blue.
    private func writeColor(
        at offset: Int,
        _ byteCount: Int,
        to output: UnsafeMutableBufferPointer<UInt8>,
        _ pixel: Int
    ) {
        guard byteCount == 2 else {
            for channel in 0..<3 { output[pixel + channel] = file[offset + 2 - channel] }
            output[pixel + 3] = header.hasAlpha && byteCount == 4 ? file[offset + 3] : 255
            return
        }
        let bits = Int(file[offset + 1]) << 8 | Int(file[offset])
        for channel in 0..<3 {
            let level = bits >> (10 - 5 * channel) & 31
            output[pixel + channel] = UInt8((level * 255 + 15) / 31)
        }
        output[pixel + 3] = !header.hasAlpha || bits & 0x8000 != 0 ? 255 : 0
    }
}

/// A position in the packets of a run-length encoded TGA file.
///
/// A packet starts with a byte: the number of pixels minus 1, plus 128 if the packet contains one
/// pixel that is repeated.
struct TGAPackets {
    /// The offset of the current pixel or, between packets, of the next packet.
    private var offset: Int
    private let pixelByteCount: Int
    /// The number of pixels left in the current packet.
    private var remaining = 0
    private var isRun = false

    init(offset: Int, pixelByteCount: Int) {
        self.offset = offset
        self.pixelByteCount = pixelByteCount
    }

    /// Skips `count` pixels; returns false if the file ends before the last of them.
    mutating func skip(_ count: Int, in file: UnsafeBufferPointer<UInt8>) -> Bool {
        var count = count
        while count > 0 {
            guard startPacket(in: file) else { return false }
            let step = min(count, remaining)
            let end = offset + (isRun ? 1 : step) * pixelByteCount
            guard end <= file.count else { return false }
            advance(by: step)
            count -= step
        }
        return true
    }

    /// Returns the offset of the next pixel and advances to the pixel after it; returns nil at the
    /// end of the file.
    mutating func next(in file: UnsafeBufferPointer<UInt8>) -> Int? {
        guard startPacket(in: file), offset <= file.count - pixelByteCount else { return nil }
        let pixel = offset
        advance(by: 1)
        return pixel
    }

    /// Reads the start of the next packet if the current one is finished; returns false at the end
    /// of the file.
    private mutating func startPacket(in file: UnsafeBufferPointer<UInt8>) -> Bool {
        guard remaining == 0 else { return true }
        guard offset < file.count else { return false }
        remaining = Int(file[offset] & 0x7F) + 1
        isRun = file[offset] & 0x80 != 0
        offset += 1
        return true
    }

    private mutating func advance(by count: Int) {
        remaining -= count
        if !isRun { offset += count * pixelByteCount }
        if isRun, remaining == 0 { offset += pixelByteCount }
    }
}
