internal import CImageCodecs

/// Reads and adds text chunks of a PNG without decoding its pixels.
///
/// A text chunk (`tEXt`; PNG, third edition, section 11.3.3.2) consists of a keyword of up to 79
/// bytes, a NUL byte and the text. Keyword and text are Latin-1. Compressed text is ignored.
package enum PNGTexts {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The offset after the signature and the IHDR chunk, which always has 25 bytes.
    private static let firstPlace = 33
    private static let keywordLimit = 79

    /// Returns the text for each keyword in a file; if a keyword is repeated, its first text is
    /// used.
    ///
    /// Text of more than `textLimit` bytes is skipped. If the bytes are not a PNG, returns an empty
    /// dictionary. If the file is damaged, returns the text before the damaged part.
    package static func texts(in bytes: [UInt8], textLimit: Int = 16 << 10) -> [String: String] {
        guard bytes.starts(with: signature) else { return [:] }
        return bytes.withUnsafeBufferPointer { buffer in
            var texts: [String: String] = [:]
            var offset = signature.count
            while let chunk = PNGChunk(at: offset, in: buffer), chunk.end <= buffer.count,
                chunk.type != PNGChunk.type("IEND")
            {
                offset = chunk.end
                guard chunk.type == PNGChunk.type("tEXt"),
                    let (key, text) = pair(buffer[chunk.data], textLimit)
                else { continue }
                if texts[key] == nil { texts[key] = text }
            }
            return texts
        }
    }

    private static func pair(
        _ data: Slice<UnsafeBufferPointer<UInt8>>,
        _ textLimit: Int
    ) -> (String, String)? {
        guard data.count <= keywordLimit + 1 + textLimit,
            let end = data.firstIndex(of: 0), end > data.startIndex,
            end - data.startIndex <= keywordLimit
        else { return nil }
        return (latin1(data[..<end]), latin1(data[(end + 1)...]))
    }

    private static func latin1(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    /// Returns a copy of `png` with a chunk for each of `texts`, directly after the header (IHDR).
    ///
    /// Returns nil if `png` is not a PNG or a keyword has an invalid length. Also returns nil if a
    /// keyword or text contains characters other than printable ASCII.
    package static func adding(
        _ texts: [(key: String, text: String)],
        to png: [UInt8]
    ) -> [UInt8]? {
        guard png.count > firstPlace, png.starts(with: signature) else { return nil }
        var chunks: [UInt8] = []
        for (key, text) in texts {
            guard (1...keywordLimit).contains(key.utf8.count),
                (key + text).utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { return nil }
            append(Array(key.utf8) + [0] + Array(text.utf8), to: &chunks)
        }
        return png[..<firstPlace] + chunks + png[firstPlace...]
    }

    private static func append(_ data: [UInt8], to chunks: inout [UInt8]) {
        let content = Array("tEXt".utf8) + data
        let sum = content.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { cic_crc32(0, $0, buffer.count) } ?? 0
        }
        chunks += bigEndian(UInt32(data.count)) + content + bigEndian(sum)
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
