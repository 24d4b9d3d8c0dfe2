/// Small archives in memory, for tests: real ones are in `FeedsTests/Documents/Fixtures/archives`.
public enum SampleArchive {
    /// A tar archive of files, as POSIX has it.
    public static func tar(_ files: [(name: String, content: [UInt8])]) -> [UInt8] {
        files.flatMap { header($0.name, $0.content.count) + padded($0.content) }
            + [UInt8](repeating: 0, count: 1024)
    }

    /// A header whose size and kind may be lies.
    public static func header(
        _ name: String,
        _ byteCount: Int,
        kind: String = "0",
        target: String = ""
    ) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func write(_ text: String, at place: Int) {
            header.replaceSubrange(place..<place + text.utf8.count, with: Array(text.utf8))
        }
        write(name, at: 0)
        write(octal(byteCount, 11), at: 124)
        write("        ", at: 148)
        write(kind, at: 156)
        write(target, at: 157)
        write("ustar\u{0}00", at: 257)
        write(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0", at: 148)
        return header
    }

    private static func octal(_ number: Int, _ length: Int) -> String {
        let digits = String(number, radix: 8)
        return String(repeating: "0", count: length - digits.count) + digits
    }

    private static func padded(_ content: [UInt8]) -> [UInt8] {
        content + [UInt8](repeating: 0, count: -content.count & 511)
    }

    /// A zip archive of files that are stored as they are; `flags` are those of all members.
    public static func zip(
        _ files: [(name: String, content: [UInt8])],
        flags: Int = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for (name, content) in files {
            let fields =
                little(20, 2) + little(flags, 2) + little(0, 2) + little(0, 4)
                + little(Int(crc32(content)), 4)
                + little(content.count, 4) + little(content.count, 4)
                + little(name.utf8.count, 2) + little(0, 2)
            directory += little(0x0201_4B50, 4) + little(20, 2) + fields
            directory += little(0, 10) + little(bytes.count, 4) + name.utf8
            bytes += little(0x0403_4B50, 4) + fields + name.utf8 + content
        }
        return bytes + directory + little(0x0605_4B50, 4) + little(0, 4)
            + little(files.count, 2) + little(files.count, 2) + little(directory.count, 4)
            + little(bytes.count, 4) + little(0, 2)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
            }
        }
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 < 8 ? number >> ($0 * 8) : 0) }
    }
}
