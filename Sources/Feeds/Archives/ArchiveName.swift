/// The parsed path of a member of an archive.
package struct ArchiveName {
    /// The path without a leading slash or "./".
    ///
    /// The path is never used to write files.
    package let path: [UInt8]
    /// The index in `path` at which the last component starts.
    private let base: Int

    /// Parses a path, or returns nil if it is empty, leads out of the archive, or contains a NUL
    /// byte.
    package init?(_ name: [UInt8]) {
        let slash = UInt8(ascii: "/")
        let parts = name.split(separator: slash).filter { $0 != [UInt8(ascii: ".")] }
        guard !parts.isEmpty, !parts.contains(Array("..".utf8)[...]), !name.contains(0) else {
            return nil
        }
        path = Array(parts.joined(separator: [slash]))
        base = path.count - (parts.last?.count ?? 0)
    }

    /// Returns the path of a member, or the unchanged name if it is not a valid path.
    ///
    /// This function is faster than `init` for a name that is already in its simplest form.
    static func path(of name: [UInt8]) -> [UInt8] {
        var isAtStart = true
        for byte in name {
            if isAtStart, byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") {
                return ArchiveName(name)?.path ?? name
            }
            isAtStart = byte == UInt8(ascii: "/")
        }
        return name
    }

    /// Whether the file is hidden by convention, such as the "._a.jpg" files that macOS creates.
    package var isHidden: Bool {
        path[base] == UInt8(ascii: ".") || path.starts(with: "__MACOSX/".utf8)
    }

    /// The path up to the first dot of the last component.
    package var key: ArraySlice<UInt8> {
        path[..<(path[base...].firstIndex(of: UInt8(ascii: ".")) ?? path.endIndex)]
    }

    /// The characters after the last dot, in lowercase.
    package var suffix: String {
        guard let dot = path[base...].lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(decoding: path[(dot + 1)...], as: UTF8.self).lowercased()
    }

    /// The part of the name between `key` and the last dot, or nil if the name has only one dot.
    ///
    /// For example, the middle part of "0001.left.jpg" is "left".
    var middle: String? {
        guard let dot = path[base...].lastIndex(of: UInt8(ascii: ".")), key.endIndex < dot else {
            return nil
        }
        return String(decoding: path[(key.endIndex + 1)..<dot], as: UTF8.self)
    }

    /// Whether the file may describe an image with the same key.
    var isNote: Bool { ArchiveLines.Note(rawValue: suffix) != nil }

    package var isPicture: Bool { PictureNames.endsAsPicture(path[base...]) }
}
