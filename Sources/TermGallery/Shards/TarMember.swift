/// A file in a tar file: a header of 512 bytes, followed by the file's bytes.
///
/// The bytes are padded to a multiple of 512. The fields of the header and their sizes in bytes
/// are:
///
///     name mode    uid     gid     size        mtime       sum      type link magic version …
///     100  8       8       8       12          12          8        1    100  6     2
///
/// Numbers are octal digits (POSIX.1-1988, "ustar").
enum TarMember {
    static let blockByteCount = 512

    /// Appends a file to a tar file.
    ///
    /// `name` must have at most 99 bytes.
    static func append(_ bytes: [UInt8], named name: String, to tar: inout [UInt8]) {
        precondition(name.utf8.count < 100, "a key is short")
        var header = [UInt8](repeating: 0, count: blockByteCount)
        put(name, at: 0, &header)
        put("0000644", at: 100, &header)
        put("0000000", at: 108, &header)
        put("0000000", at: 116, &header)
        put(octal(bytes.count, digits: 11), at: 124, &header)
        // The modification time is 0, so the same images always produce the same bytes.
        put(octal(0, digits: 11), at: 136, &header)
        put("        ", at: 148, &header)
        put("0", at: 156, &header)
        put("ustar\0" + "00", at: 257, &header)
        let sum = header.reduce(0) { $0 + Int($1) }
        put(octal(sum, digits: 6) + "\0 ", at: 148, &header)
        tar += header
        tar += bytes
        let rest = bytes.count % blockByteCount
        if rest > 0 { tar += [UInt8](repeating: 0, count: blockByteCount - rest) }
    }

    /// The two empty blocks that mark the end of a tar file.
    static let end = [UInt8](repeating: 0, count: 2 * blockByteCount)

    private static func put(_ text: String, at place: Int, _ header: inout [UInt8]) {
        for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
    }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
