/// A chunk of a PNG, for code that creates or repairs files.
public struct PNGChunk: Equatable, Sendable {
    /// Four bytes; letters in a file that is in order.
    public var type: [UInt8]
    /// The data between type and checksum.
    public var data: [UInt8]

    /// The eight bytes that every PNG begins with.
    public static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Makes a chunk.
    public init(type: String, data: [UInt8]) {
        self.type = Array(type.utf8)
        self.data = data
    }

    /// The chunks of a file whatever their checksums; the last is cut where the file ends.
    public static func split(_ file: [UInt8]) -> [PNGChunk] {
        var chunks: [PNGChunk] = []
        var rest = file.dropFirst(signature.count)
        while rest.count >= 8 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            var chunk = PNGChunk(type: "", data: [])
            chunk.type = Array(rest.dropFirst(4).prefix(4))
            chunk.data = Array(rest.dropFirst(8).prefix(length))
            chunks.append(chunk)
            rest = rest.dropFirst(min(rest.count, 12 + length))
        }
        return chunks
    }

    /// A file of these chunks, with the lengths and checksums they should have.
    public static func joined(_ chunks: [PNGChunk]) -> [UInt8] {
        chunks.reduce(into: signature) { file, chunk in
            let body = chunk.type + chunk.data
            file += bigEndian(UInt32(truncatingIfNeeded: chunk.data.count)) + body
            file += bigEndian(checksum(body))
        }
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// CRC-32 of ISO 3309.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8)
        }
    }

    private static let table: [UInt32] = (0..<256).map { (index: UInt32) -> UInt32 in
        var bits = index
        for _ in 0..<8 { bits = bits & 1 == 1 ? 0xEDB8_8320 ^ (bits >> 1) : bits >> 1 }
        return bits
    }
}

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

    /// Returns the content of a stream of stored blocks; nil for any other stream.
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
