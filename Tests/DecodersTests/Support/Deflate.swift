/// A small compressor of our own: zlib streams (RFC 1950) of each kind of block (RFC 1951).
enum Deflate {
    enum Kind: CaseIterable {
        case stored
        case fixed
        /// Codes that the block describes: they are not the shortest, but use every way of
        /// describing codes.
        case dynamic
    }

    /// Returns `bytes` as a zlib stream.
    static func stream(_ bytes: [UInt8], _ kind: Kind = .stored) -> [UInt8] {
        let header: [UInt8] = [0x78, 0x01]
        return header + blocks(bytes, kind) + PNGFile.number(Int(checksum(bytes)))
    }

    /// Adler-32.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let (first, second) = bytes.reduce((1, 0)) { sums, byte in
            let first = (sums.0 + Int(byte)) % 65521
            return (first, (sums.1 + first) % 65521)
        }
        return UInt32(second << 16 | first)
    }

    private static func blocks(_ bytes: [UInt8], _ kind: Kind) -> [UInt8] {
        switch kind {
        case .stored: stored(bytes)
        case .fixed: coded(bytes, codes: fixedCodes) { $0.add(0b011, 3) }
        case .dynamic: coded(bytes, codes: ownCodes, header: describeOwnCodes)
        }
    }

    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 65535) {
            let block = bytes[start..<min(start + 65535, bytes.count)]
            let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
            stream += [block.endIndex == bytes.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        return stream
    }

    // MARK: - Codes

    private typealias Codes = (literals: [DeflateCode], distances: [DeflateCode])

    private static let fixedCodes: Codes = (
        DeflateCode.canonical(
            (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
        ),
        DeflateCode.canonical(Array(repeating: 5, count: 32))
    )

    // 226 / 2^8 + 60 / 2^9 and 2 / 2^4 + 28 / 2^5 are 1: complete codes.
    private static let ownLiterals = (0..<286).map { $0 < 226 ? 8 : 9 }
    private static let ownDistances = (0..<30).map { $0 < 2 ? 4 : 5 }
    private static let ownCodes: Codes = (
        DeflateCode.canonical(ownLiterals), DeflateCode.canonical(ownDistances)
    )

    private static func describeOwnCodes(_ writer: inout BitWriter) {
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        let used = [4, 5, 8, 9]
        let lengths = (0..<19).map { used.contains($0) ? 2 : 0 }
        let codes = DeflateCode.canonical(lengths)
        writer.add(0b101, 3)
        writer.add(286 - 257, 5)
        writer.add(30 - 1, 5)
        writer.add(19 - 4, 4)
        for symbol in order { writer.add(lengths[symbol], 3) }
        for length in ownLiterals + ownDistances { writer.add(codes[length]) }
    }

    // MARK: - Matches

    private static func coded(
        _ bytes: [UInt8],
        codes: Codes,
        header: (inout BitWriter) -> Void
    ) -> [UInt8] {
        var (writer, positions, index) = (BitWriter(), [ArraySlice<UInt8>: Int](), 0)
        header(&writer)
        while index < bytes.count {
            let next = bytes[index..<min(index + 3, bytes.count)]
            let before = positions.updateValue(index, forKey: next)
            guard next.count == 3, let before, index - before <= 32768 else {
                writer.add(codes.literals[Int(bytes[index])])
                index += 1
                continue
            }
            var length = 3
            while length < 258, index + length < bytes.count,
                bytes[before + length] == bytes[index + length]
            {
                length += 1
            }
            addLength(length, to: &writer, codes)
            addDistance(index - before, to: &writer, codes)
            index += length
        }
        writer.add(codes.literals[256])
        return writer.bytes
    }

    private static func addLength(_ length: Int, to writer: inout BitWriter, _ codes: Codes) {
        guard length < 258 else { return writer.add(codes.literals[285]) }
        guard length > 10 else { return writer.add(codes.literals[254 + length]) }
        let extra = (length - 3).bitWidth - (length - 3).leadingZeroBitCount - 3
        let quarter = (length - 3) >> extra & 3
        writer.add(codes.literals[257 + 4 * (extra + 1) + quarter])
        writer.add((length - 3) & (1 << extra - 1), extra)
    }

    private static func addDistance(
        _ distance: Int,
        to writer: inout BitWriter,
        _ codes: Codes
    ) {
        guard distance > 4 else { return writer.add(codes.distances[distance - 1]) }
        let extra = (distance - 1).bitWidth - (distance - 1).leadingZeroBitCount - 2
        writer.add(codes.distances[2 * (extra + 1) + (distance - 1) >> extra & 1])
        writer.add((distance - 1) & (1 << extra - 1), extra)
    }
}

/// A code of a canonical set (RFC 1951, 3.2.2).
struct DeflateCode {
    var bits = 0
    var count = 0

    static func canonical(_ lengths: [Int]) -> [DeflateCode] {
        var (codes, next) = (Array(repeating: DeflateCode(), count: lengths.count), 0)
        for count in 1...15 {
            next <<= 1
            for (symbol, length) in lengths.enumerated() where length == count {
                codes[symbol] = DeflateCode(bits: next, count: count)
                next += 1
            }
        }
        return codes
    }
}

/// Writes bits, starting with the lowest bit of each byte.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    /// Adds a number, lowest bit first.
    mutating func add(_ value: Int, _ count: Int) {
        for bit in 0..<count {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(used)
            used += 1
        }
    }

    /// Adds a code, highest bit first.
    mutating func add(_ code: DeflateCode) {
        for bit in (0..<code.count).reversed() { add(code.bits >> bit & 1, 1) }
    }
}
