/// The path of a member of an archive, taken apart.
struct ArchiveName {
    /// Without the slash or "./" that it may begin with: nothing is ever written under it.
    let path: [UInt8]
    /// Where the last part begins.
    private let base: Int

    /// Nil of a path that leads out of the archive, or nowhere.
    init?(_ name: [UInt8]) {
        let slash = UInt8(ascii: "/")
        let parts = name.split(separator: slash).filter { $0 != [UInt8(ascii: ".")] }
        guard !parts.isEmpty, !parts.contains(Array("..".utf8)[...]), !name.contains(0) else {
            return nil
        }
        path = Array(parts.joined(separator: [slash]))
        base = path.count - (parts.last?.count ?? 0)
    }

    /// As files of programs are: "._a.jpg" of a Mac is no picture.
    var isHidden: Bool {
        path[base] == UInt8(ascii: ".") || path.starts(with: "__MACOSX/".utf8)
    }

    /// Up to the first dot of the last part.
    var key: ArraySlice<UInt8> {
        path[..<(path[base...].firstIndex(of: UInt8(ascii: ".")) ?? path.endIndex)]
    }

    /// What follows its last dot, in lower case.
    var suffix: String {
        guard let dot = path[base...].lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(decoding: path[(dot + 1)...], as: UTF8.self).lowercased()
    }

    var isPicture: Bool { PictureNames.endsAsPicture(path[base...]) }
}
