internal import Glibc

/// The character set of a feed that is not in UTF-8, as specified by a server or a document.
///
/// Only the character sets of the WHATWG Encoding Standard that the C library can convert are
/// supported. Some of the library's other converters keep state and have had vulnerabilities that
/// malicious input could exploit.
package struct Charset: Equatable, Sendable {
    /// The name that iconv uses for the character set.
    package let name: String

    /// Creates the character set for the `charset` of a `Content-Type` (RFC 9110, 8.3.2).
    ///
    /// Returns nil if there is no `charset`, or if it is UTF-8 or not supported.
    package init?(contentType: String) {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { part in
                part.lowercased().filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" }
            }
            guard parts.count == 2, parts[0] == "charset" else { continue }
            self.init(label: parts[1])
            return
        }
        return nil
    }

    /// Creates the character set with this label, or returns nil if it is UTF-8 or not supported.
    package init?(label: String) {
        guard let name = Self.name(of: label.lowercased()) else { return nil }
        self.name = name
    }

    private static func name(of label: String) -> String? {
        switch label {
        // As in browsers, Latin-1 is treated as Windows-1252, which extends it.
        case "iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252", "cp1252": "CP1252"
        case "iso-8859-9", "latin5", "windows-1254": "CP1254"
        case "windows-1250", "windows-1251", "windows-1253", "windows-1255", "windows-1256",
            "windows-1257", "windows-1258", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255",
            "cp1256", "cp1257", "cp1258":
            "CP" + label.suffix(4)
        case "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7",
            "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16",
            "koi8-r", "koi8-u", "gb18030", "big5", "euc-jp", "euc-kr", "utf-16le", "utf-16be":
            label.uppercased()
        case "gbk", "gb2312": "GB18030"
        case "shift_jis", "shift-jis", "sjis", "windows-31j", "cp932": "CP932"
        case "ibm866", "cp866": "CP866"
        case "utf-16": "UTF-16LE"
        default: nil
        }
    }

    /// Returns the bytes as UTF-8, with U+FFFD for each invalid byte, or nil if this machine does
    /// not support the character set.
    package func utf8(_ bytes: [UInt8]) -> [UInt8]? {
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

    /// Returns whether UTF-16 XML is big-endian, or nil if the bytes are not UTF-16 XML.
    ///
    /// A byte order mark is not required.
    package static func isWideXML(_ head: some Collection<UInt8>) -> Bool? {
        if head.starts(with: [0xFF, 0xFE, 0x3C, 0]) || head.starts(with: [0x3C, 0, 0x3F, 0]) {
            return false
        }
        let isBig =
            head.starts(with: [0xFE, 0xFF, 0, 0x3C]) || head.starts(with: [0, 0x3C, 0, 0x3F])
        return isBig ? true : nil
    }
}
