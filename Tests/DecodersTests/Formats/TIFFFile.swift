/// Writes small TIFF files with several directories, in little-endian order.
struct TIFFFile {
    /// A directory; JPEG and pixel data follow the directories.
    struct Directory {
        /// Tags with one value each, as LONG.
        var entries: [Int: Int]
        /// The data for StripOffsets and StripByteCounts, or for JPEGInterchangeFormat.
        var data: [UInt8] = []
        var isInterchangeFormat = false
        /// The indices of the nested directories.
        var children: [Int] = []
        /// The index of the next directory.
        var next: Int?
    }

    var directories: [Directory]

    /// Returns a gray page of one strip in which all samples are `level`.
    static func page(
        width: Int,
        height: Int,
        level: UInt8,
        kind: Int = 0,
        others: [Int: Int] = [:]
    ) -> Directory {
        let entries = [
            254: kind, 256: width, 257: height, 258: 8, 259: 1, 262: 1, 277: 1, 278: height,
        ]
        return Directory(
            entries: entries.merging(others) { $1 },
            data: [UInt8](repeating: level, count: width * height)
        )
    }

    /// Returns the file, whose first directory is at offset 8.
    func bytes() -> [UInt8] {
        let sizes = directories.map { directory in
            6 + 12 * (directory.entries.count + 2 + (directory.children.isEmpty ? 0 : 1))
                + directory.children.count * 4
        }
        let starts = sizes.indices.map { 8 + sizes[..<$0].reduce(0, +) }
        var data: [UInt8] = []
        var bytes = [0x49, 0x49, 42, 0] + Self.number(8, 4)
        let dataStart = 8 + sizes.reduce(0, +)
        for (index, directory) in directories.enumerated() {
            var entries = directory.entries.map { ($0, 1, Self.number($1, 4)) }
            let tags = directory.isInterchangeFormat ? (513, 514) : (273, 279)
            entries.append((tags.0, 1, Self.number(dataStart + data.count, 4)))
            entries.append((tags.1, 1, Self.number(directory.data.count, 4)))
            data += directory.data
            let children = directory.children.flatMap { Self.number(starts[$0], 4) }
            let listStart = starts[index] + sizes[index] - children.count
            if !children.isEmpty {
                let isInline = children.count == 4
                entries.append(
                    (330, directory.children.count, isInline ? children : Self.number(listStart, 4))
                )
            }
            bytes += Self.number(entries.count, 2)
            for (tag, count, value) in entries.sorted(by: { $0.0 < $1.0 }) {
                bytes += Self.number(tag, 2) + Self.number(4, 2) + Self.number(count, 4) + value
            }
            bytes += Self.number(directory.next.map { starts[$0] } ?? 0, 4) + children
        }
        return bytes + data
    }

    /// Returns the bytes of a little-endian number.
    static func number(_ value: Int, _ byteCount: Int = 4) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
