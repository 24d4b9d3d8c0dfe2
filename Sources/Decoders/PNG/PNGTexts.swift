internal import CImageCodecs

/// Reads and adds text chunks of a PNG without decoding its pixels (PNG, third edition, section
/// 11.3.3).
///
///     tEXt: keyword | 0 | text in Latin-1
///     zTXt: keyword | 0 | method (0: deflate) | zlib stream of text in Latin-1
///     iTXt: keyword | 0 | is compressed | method | language | 0 | translated keyword | 0
///               | text in UTF-8, or its zlib stream
///
/// Keywords have up to 79 bytes of Latin-1. Image generators store their settings as "parameters",
/// "prompt" and "workflow".
package enum PNGTexts {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The offset after the signature and the IHDR chunk, which always has 25 bytes.
    private static let firstPlace = 33
    private static let keywordLimit = 79

    /// Returns the text for each keyword in a file; if a keyword is repeated, its first text is
    /// used.
    ///
    /// Text beyond `limit` bytes in all is skipped. If the bytes are not a PNG, returns an empty
    /// dictionary. If the file is damaged, returns the text before the damaged part.
    package static func texts(in bytes: [UInt8], limit: Int = 16 << 10) -> [String: String] {
        let entries = bytes.withUnsafeBufferPointer { all(in: $0, limit: limit) }
        return Dictionary(entries.map { ($0.keyword, $0.text) }) { first, _ in first }
    }

    /// A keyword with its text.
    struct Entry: Equatable {
        let keyword: String
        let text: String
    }

    /// The maximum number of texts; a file with more is an attempt to waste time.
    private static let maximumCount = 256

    /// Returns the texts in the order of the file.
    ///
    /// Texts that contain other metadata, such as an XMP packet, and damaged texts are left out, and
    /// so is text beyond `limit` bytes in all.
    static func all(in file: UnsafeBufferPointer<UInt8>, limit: Int) -> [Entry] {
        guard file.starts(with: signature) else { return [] }
        var (entries, byteCount) = ([Entry](), 0)
        for chunk in PNGChunks.all(in: file) where entries.count < maximumCount {
            let data = UnsafeBufferPointer(rebasing: file[chunk.data])
            guard let entry = entry(chunk.type, data, limit: limit - byteCount),
                !entry.keyword.hasPrefix("Raw profile type "), entry.keyword != "XML:com.adobe.xmp"
            else { continue }
            byteCount += entry.text.utf8.count
            entries.append(entry)
        }
        return entries
    }

    private static func entry(
        _ type: UInt32,
        _ data: UnsafeBufferPointer<UInt8>,
        limit: Int
    ) -> Entry? {
        guard let end = data.prefix(keywordLimit + 1).firstIndex(of: 0), end > 0 else { return nil }
        let content = data[(end + 1)...]
        let text: String? =
            switch type {
            case PNGChunk.type("tEXt"): content.count <= limit ? latin(content) : nil
            case PNGChunk.type("zTXt"):
                inflated(content, method: 0, stream: 1, limit: limit).map { latin($0[...]) }
            case PNGChunk.type("iTXt"): international(content, limit: limit)
            default: nil
            }
        return text.map { Entry(keyword: latin(data[..<end]), text: $0) }
    }

    private static func international(
        _ content: Slice<UnsafeBufferPointer<UInt8>>,
        limit: Int
    ) -> String? {
        let start = content.startIndex
        guard content.count >= 4, let language = content[(start + 2)...].firstIndex(of: 0),
            let keyword = content[(language + 1)...].firstIndex(of: 0)
        else { return nil }
        let stream = keyword + 1 - start
        guard content[start] != 0 else {
            let text = content.dropFirst(stream)
            return text.count <= limit ? String(decoding: text, as: UTF8.self) : nil
        }
        return inflated(content, method: 1, stream: stream, limit: limit)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a text in Latin-1, whose bytes are the first 256 characters of Unicode.
    private static func latin(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return String(text)
    }

    /// Returns the inflated text, or nil if it is damaged or longer than `limit`.
    ///
    /// `method` and `stream` are offsets in `content`.
    private static func inflated(
        _ content: Slice<UnsafeBufferPointer<UInt8>>,
        method: Int,
        stream: Int,
        limit: Int
    ) -> [UInt8]? {
        guard content.count > stream, content[content.startIndex + method] == 0 else { return nil }
        return ZlibStream.inflated(
            UnsafeBufferPointer(rebasing: content.dropFirst(stream)),
            limit: limit
        )
    }

    // MARK: - Adding

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
