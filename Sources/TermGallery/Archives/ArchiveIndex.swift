import GalleryCore
import ImageLoading

/// What is kept of an archive's directory: a line of what is said of it, then the lines of its pictures as
/// `ArchiveListing` made them.
struct ArchiveIndex: Equatable {
    /// What a person should know of the archive; nil if all of it is shown.
    let remark: String?
    let lines: [UInt8]

    /// The first line begins with the form of the rest.
    private static let mark = "termgallery archive index 1 "
    /// A larger one would push pictures out of the cache.
    static let largestByteCount = 48 << 20

    /// Reading fewer pictures takes no time that anybody notices; on a server each may be a request.
    static func isWorthKeeping(_ pictureCount: Int, _ archive: ArchiveVersion) -> Bool {
        switch archive {
        case .file: pictureCount >= 2000
        case .remote: pictureCount >= 100
        }
    }

    init(remark: String?, lines: [UInt8]) {
        (self.remark, self.lines) = (remark, lines)
    }

    /// Reads what `bytes` wrote; nil if it is of another form.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.mark.utf8),
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let remark = bytes[Self.mark.utf8.count..<end]
        self.remark = remark.isEmpty ? nil : String(decoding: remark, as: UTF8.self)
        lines = Array(bytes[(end + 1)...])
    }

    var bytes: [UInt8] {
        let remark = (remark ?? "").replacing("\n", with: " ")
        return Array("\(Self.mark)\(remark)\n".utf8) + lines
    }
}
