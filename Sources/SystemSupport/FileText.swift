/// Converts file names to text, and text back to the original bytes.
///
/// On Linux, a file name is a sequence of bytes that need not be UTF-8. A Swift string is always
/// valid Unicode, so invalid bytes are replaced. Here, each byte that is not part of a character is
/// replaced with its own private-use character, U+10FE80 to U+10FEFF, and converted back when the
/// file is opened. If a name already contains such a private-use character, each byte of that
/// character is replaced too, so two different names never have the same text.
package enum FileText {
    private static let firstStandIn: UInt32 = 0x10FE00
    /// The first UTF-8 byte of all private-use characters used here.
    ///
    /// A text without this byte contains none of them.
    private static let telltale: UInt8 = 0xF4

    /// Returns the text for a file name, or for a line that contains file names.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = bytes.withContiguousStorageIfAvailable(plainText) ?? nil { return text }
        var scalars = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            var iterator = rest.makeIterator()
            var parser = Unicode.UTF8.ForwardParser()
            let length: Int
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                length = encoded.count
                let scalar = Unicode.UTF8.decode(encoded)
                if byte(standingIn: scalar) == nil {
                    scalars.append(scalar)
                    rest.removeFirst(length)
                    continue
                }
            case .error(let count): length = max(1, count)
            case .emptyInput: return String(scalars)
            }
            scalars.append(contentsOf: rest.prefix(length).compactMap(standIn))
            rest.removeFirst(length)
        }
        return String(scalars)
    }

    /// Returns the text, or nil if any byte must be replaced, which is rare.
    ///
    /// The parameter is a buffer, so one call to the C library can search all bytes.
    private static func plainText(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        bytes.contains(telltale) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Returns the original bytes of `text`.
    package static func bytes(of text: String) -> [UInt8] {
        guard hasStandIns(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let byte = byte(standingIn: scalar) {
                bytes.append(byte)
            } else {
                bytes += Array(String(scalar).utf8)
            }
        }
        return bytes
    }

    /// Returns the original bytes followed by a NUL byte, as system calls expect.
    package static func path(_ text: String) -> [CChar] {
        bytes(of: text).map(CChar.init(bitPattern:)) + [0]
    }

    /// Returns the text for a C string from the system.
    package static func text(cString: UnsafePointer<CChar>) -> String {
        let count = UnsafeBufferPointer(start: cString, count: .max).firstIndex(of: 0) ?? 0
        return UnsafeBufferPointer(start: cString, count: count)
            .withMemoryRebound(to: UInt8.self) { text($0) }
    }

    /// Returns the text to show to a user.
    ///
    /// Each byte that is not part of a character is shown as U+FFFD.
    package static func shown(_ text: String) -> String {
        guard hasStandIns(text) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(byte(standingIn: scalar) == nil ? scalar : "\u{FFFD}")
        }
        return String(scalars)
    }

    private static func hasStandIns(_ text: String) -> Bool {
        text.utf8.contains(telltale)
            && text.unicodeScalars.contains { byte(standingIn: $0) != nil }
    }

    private static func standIn(_ byte: UInt8) -> Unicode.Scalar? {
        Unicode.Scalar(firstStandIn + UInt32(byte))
    }

    private static func byte(standingIn scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.value >= firstStandIn + 0x80, scalar.value <= firstStandIn + 0xFF else {
            return nil
        }
        return UInt8(truncatingIfNeeded: scalar.value)
    }
}
