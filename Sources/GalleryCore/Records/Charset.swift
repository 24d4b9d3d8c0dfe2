internal import FeedDocuments
internal import Glibc

/// A character set that a server specifies, for feeds that are not in UTF-8.
///
/// Only the character sets of the WHATWG Encoding Standard that the C library can convert are
/// supported. Some other converters of the library have state, and had vulnerabilities to malicious
/// input.
struct Charset: Equatable, Sendable {
    /// The name for iconv.
    let name: String

    /// Creates the character set from the `charset` of a `Content-Type` (RFC 9110, 8.3.2); nil if
    /// it is missing or unsupported.
    init?(contentType: String) {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { part in
                part.lowercased().filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" }
            }
            guard parts.count == 2, parts[0] == "charset" else { continue }
            guard let name = Self.name(of: parts[1]) else { return nil }
            self.name = name
            return
        }
        return nil
    }

    private static func name(of label: String) -> String? {
        switch label {
        // As in browsers, Latin 1 means its Windows extension.
        case "iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252", "cp1252": "CP1252"
        case "iso-8859-9", "latin5", "windows-1254": "CP1254"
        case "windows-1250", "windows-1251", "windows-1253", "windows-1255", "windows-1256",
            "windows-1257", "windows-1258":
            "CP" + label.suffix(4)
        case "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7",
            "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16",
            "koi8-r", "koi8-u", "gb18030", "big5", "euc-jp", "euc-kr", "utf-16le", "utf-16be":
            label.uppercased()
        case "gbk", "gb2312": "GB18030"
        case "shift_jis", "shift-jis", "sjis", "windows-31j": "CP932"
        case "utf-16": "UTF-16LE"
        default: nil
        }
    }

    /// Returns the bytes as UTF-8, with U+FFFD for each invalid byte; nil if this machine does not
    /// support the character set.
    func utf8(_ bytes: [UInt8]) -> [UInt8]? {
        let converter = iconv_open("UTF-8", name)
        guard converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 4)
        // The parameter type is mutable, but iconv does not change its input.
        var source = bytes.map { CChar(bitPattern: $0) }
        source.withUnsafeMutableBufferPointer { source in
            var (input, left) = (source.baseAddress, source.count)
            var piece = [CChar](repeating: 0, count: 1 << 14)
            while left > 0 {
                let outcome = piece.withUnsafeMutableBufferPointer { piece in
                    var (output, room) = (piece.baseAddress, piece.count)
                    let status = iconv(converter, &input, &left, &output, &room)
                    let fault = status == Int(bitPattern: UInt.max) ? errno : 0
                    result += UnsafeRawBufferPointer(
                        rebasing: UnsafeRawBufferPointer(piece)[..<(piece.count - room)]
                    )
                    return fault
                }
                guard outcome == EILSEQ || outcome == EINVAL else { continue }
                // An invalid byte, or an incomplete character at the end.
                result += "\u{FFFD}".utf8
                input = input?.successor()
                left -= 1
            }
        }
        return result
    }
}

extension FeedText {
    /// Returns a body in UTF-8, converted from the character set that the server specifies, unless
    /// the document or the user specifies another one.
    ///
    /// The order of precedence is that of RFC 7303 and of browsers, with one exception: valid UTF-8
    /// is always treated as UTF-8, because it is very unlikely to be anything else.
    public static func utf8(
        _ bytes: [UInt8],
        contentType: String?,
        _ options: FeedOptions
    ) -> [UInt8] {
        guard options.encoding == .automatic, let contentType,
            let charset = Charset(contentType: contentType)
        else { return bytes }
        // ASCII text in UTF-16 is valid UTF-8 with zero bytes.
        let isText = bytes.isUTF8 && !bytes.prefix(4).contains(0)
        guard !isText, isUTF16(bytes) == nil, !declaresEncoding(bytes) else { return bytes }
        return charset.utf8(bytes) ?? bytes
    }

    /// Returns whether an XML document declares its encoding in the first line.
    private static func declaresEncoding(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: bytes.prefix(200), as: UTF8.self)
        guard start.hasPrefix("<?xml"), let end = start.firstIndex(of: ">") else { return false }
        return start[..<end].contains("encoding")
    }
}
