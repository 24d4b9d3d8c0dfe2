/// Names of files as text from which their bytes come back.
///
/// On Linux a name is bytes and need not be UTF-8; a Swift string always is, and replaces what is
/// not. Here each byte that belongs to no character stands in the text as a private one of its own,
/// U+10FE80 to U+10FEFF, and is that byte again where the system is asked for the file. A name that
/// has such characters itself has their bytes replaced one by one, so that no two names are one
/// text.
package enum FileText {
    private static let firstStandIn: UInt32 = 0x10FE00
    /// The first byte of each stand-in in UTF-8: without one there is nothing to replace.
    private static let telltale: UInt8 = 0xF4

    /// The text of a name, or of a line that names files.
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

    /// What has nothing to be replaced, which is nearly all; nil of anything else.
    ///
    /// Of a buffer, for which the search is one of the C library and not a call for each byte.
    private static func plainText(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        bytes.contains(telltale) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// The bytes that a text stands for.
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

    /// The same with a zero behind it, as system calls want it.
    package static func path(_ text: String) -> [CChar] {
        bytes(of: text).map(CChar.init(bitPattern:)) + [0]
    }

    /// The text of a name that the system gave; it ends at the first zero.
    package static func text(cString: UnsafePointer<CChar>) -> String {
        let count = UnsafeBufferPointer(start: cString, count: .max).firstIndex(of: 0) ?? 0
        return UnsafeBufferPointer(start: cString, count: count)
            .withMemoryRebound(to: UInt8.self) { text($0) }
    }

    /// What a person is shown: bytes without a character as U+FFFD.
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
