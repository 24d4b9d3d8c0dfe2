/// A zlib stream whose blocks are stored (RFC 1950, RFC 1951 section 3.2.4): its bytes can be
/// changed one by one.
public enum StoredZlib {
    private static let header: [UInt8] = [0x78, 0x01]
    private static let maximumBlockByteCount = 65_535

    /// The stream of `bytes`.
    public static func wrap(_ bytes: [UInt8]) -> [UInt8] {
        var stream = header
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(maximumBlockByteCount)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
            stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        return stream + PNGChunk.bigEndian(checksum(bytes))
    }

    /// What a stream of stored blocks holds; nil if it is none.
    public static func unwrap(_ stream: [UInt8]) -> [UInt8]? {
        guard stream.starts(with: header) else { return nil }
        var bytes: [UInt8] = []
        var rest = stream.dropFirst(header.count)
        while true {
            let head = Array(rest.prefix(5))
            guard head.count == 5, head[0] <= 1 else { return nil }
            let count = Int(head[1]) | Int(head[2]) << 8
            guard rest.count >= 5 + count else { return nil }
            bytes += rest.dropFirst(5).prefix(count)
            rest = rest.dropFirst(5 + count)
            if head[0] == 1 { return bytes }
        }
    }

    /// Adler-32.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let (first, second) = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
            let first = (sums.0 + UInt32(byte)) % 65_521
            return (first, (sums.1 + first) % 65_521)
        }
        return second << 16 | first
    }
}
