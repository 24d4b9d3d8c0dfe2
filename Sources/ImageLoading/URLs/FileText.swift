/// A conversion of file names to text from which the original bytes can be restored.
///
/// On Linux a file name is a sequence of bytes and need not be UTF-8. A Swift string is always
/// valid Unicode, and invalid bytes are replaced. Here each byte that does not belong to a
/// character is represented by its own private-use character, U+10FE80 to U+10FEFF, and converted
/// back when the file is opened. If a name already contains such characters, their bytes are
/// replaced one by one, so that two different names never have the same text.
package enum FileText {
    private static let firstStandIn: UInt32 = 0x10FE00
    /// The first UTF-8 byte of every private-use character used here; text without this byte has
    /// nothing to replace.
    private static let telltale: UInt8 = 0xF4

    /// Returns the text of a file name, or of a line that contains file names.
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

    /// Returns the text if there is nothing to replace, as in nearly all names, and nil otherwise.
    ///
    /// The parameter is a buffer, so that the search is one call to the C library instead of a call
    /// for each byte.
    private static func plainText(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        bytes.contains(telltale) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Returns the bytes that `text` represents.
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

    /// Returns the bytes followed by a NUL byte, as system calls expect them.
    package static func path(_ text: String) -> [CChar] {
        bytes(of: text).map(CChar.init(bitPattern:)) + [0]
    }

    /// Converts a C string from the system, which ends at the first NUL byte, to text.
    package static func text(cString: UnsafePointer<CChar>) -> String {
        let count = UnsafeBufferPointer(start: cString, count: .max).firstIndex(of: 0) ?? 0
        return UnsafeBufferPointer(start: cString, count: count)
            .withMemoryRebound(to: UInt8.self) { text($0) }
    }

    /// Returns the text to show to a user, with U+FFFD for each byte that does not belong to a
    /// character.
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
