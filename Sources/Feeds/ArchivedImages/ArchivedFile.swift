package import Glibc
internal import ImageLoading
internal import SystemSupport

/// The URL of a member of a local archive.
///
///     archive:///data/shard.tar!/a/0001.jpg?p512-1234&2f-1c3-9a00-17c…
///               archive          member     place     stamp
///
/// The URL is created when the archive's directory is read. The place contains the offset and
/// length of the member's bytes, so a single read returns the member. The stamp contains the
/// device, inode, length and modification time that the archive file had when its directory was
/// read. If the archive has been modified since then, the member is not read.
///
/// In the paths of the archive and the member, `!` is percent-encoded, so the first `!/` separates
/// them. If the whole archive was unpacked, the URL ends with `&` and the descriptor of the open
/// file that contains the unpacked bytes.
package struct ArchivedFile: Hashable, Sendable {
    /// The location of the member's bytes.
    package enum Place: Hashable, Sendable {
        /// The content starts at an offset in the archive and is not compressed.
        case plain(offset: Int)
        /// The content follows the local zip header at the offset `header`.
        ///
        /// `deflatedByteCount` is nil if the content is not compressed. If `crc32` is not nil, it
        /// is the expected checksum of the content.
        case zip(header: Int, deflatedByteCount: Int?, crc32: UInt32?)
    }

    /// The absolute path of the archive as bytes.
    ///
    /// For an unpacked archive, this can be any name, because the file is opened by its descriptor.
    package let archive: [UInt8]
    /// The path of the member in the archive.
    package let name: [UInt8]
    package let place: Place
    /// The length of the member in bytes.
    package let byteCount: Int
    /// The identity and version of the file to open: the archive, or the file with its unpacked
    /// bytes.
    ///
    /// If the file has a different version when it is opened, the member is not read.
    let stamp: ArchiveStamp
    /// The descriptor of the file with the unpacked bytes, or nil if the archive itself is read.
    private let descriptor: Int32?

    /// The path of the file to open, in the encoding of `FileText`.
    var path: String { descriptor.map { "/proc/self/fd/\($0)" } ?? FileText.text(archive) }

    /// The URL scheme for archive members.
    package static let scheme = "archive"
    private static let start = "archive://"

    /// Returns the prefix shared by the URLs of all members of an archive, up to the member's path.
    package static func prefix(ofArchive path: [UInt8]) -> String {
        start + encoded(path) + "!/"
    }

    /// Returns the part of a URL that follows `prefix(ofArchive:)`: the path, location and length
    /// of a member.
    package static func reference(name: [UInt8], byteCount: Int, place: Place) -> String {
        let text =
            switch place {
            case .plain(let offset): "p\(offset)-\(byteCount)"
            case .zip(let header, nil, let crc32): "s\(header)-\(byteCount)\(suffix(crc32))"
            case .zip(let header, let packed?, let crc32):
                "d\(header)-\(byteCount)-\(packed)\(suffix(crc32))"
            }
        return "\(encoded(name))?\(text)"
    }

    private static func suffix(_ crc32: UInt32?) -> String { crc32.map { "-\($0)" } ?? "" }

    /// Parses a URL, or returns nil if it is not the URL of a member of a local archive.
    package init?(url: String) {
        let bytes = Array(url.utf8)
        guard bytes.starts(with: Self.start.utf8) else { return nil }
        let rest = bytes.dropFirst(Self.start.utf8.count)
        guard let query = rest.firstIndex(of: UInt8(ascii: "?")),
            let sign = rest[..<query].firstIndex(of: UInt8(ascii: "!")),
            rest[(sign + 1)..<query].first == UInt8(ascii: "/")
        else { return nil }
        archive = PercentCoding.decoded(rest[..<sign])
        name = PercentCoding.decoded(rest[(sign + 2)..<query])
        let parts = String(decoding: rest[(query + 1)...], as: UTF8.self)
            .split(separator: "&", omittingEmptySubsequences: false)
        guard archive.first == UInt8(ascii: "/") || parts.count == 3, !archive.contains(0),
            (2...3).contains(parts.count),
            let found = Self.place(parts[0]), let stamp = ArchiveStamp(parts[1])
        else { return nil }
        (place, byteCount) = found
        self.stamp = stamp
        descriptor = parts.count == 3 ? Int32(parts[2]) : nil
        guard parts.count == 2 || (descriptor ?? -1) >= 0 else { return nil }
    }

    /// The location of the member and the version of the archive (`stamp`), formatted as in the
    /// URL.
    ///
    /// Nil for an unpacked archive, because its file exists only while this process runs.
    var placeText: String? {
        guard descriptor == nil else { return nil }
        return Self.reference(name: [], byteCount: byteCount, place: place) + Self.suffix(stamp)
    }

    /// Returns the end of a member's URL: `stamp` as text, and the descriptor if it is not nil.
    ///
    /// `descriptor` is the open file with the unpacked bytes. It is nil if the archive is read
    /// directly.
    package static func suffix(_ stamp: ArchiveStamp, descriptor: Int32? = nil) -> String {
        "&\(stamp.text)" + (descriptor.map { "&\($0)" } ?? "")
    }

    static func place(_ text: Substring) -> (Place, byteCount: Int)? {
        let numbers = text.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
            .map { Int($0) }
        // Sums of numbers in this range cannot overflow.
        guard numbers.allSatisfy({ $0.map { (0...(1 << 61)).contains($0) } ?? false }) else {
            return nil
        }
        let known = numbers.compactMap(\.self)
        switch (text.first, known.count) {
        case ("p", 2): return (.plain(offset: known[0]), known[1])
        case ("s", 2...3), ("d", 3...4):
            let isDeflated = text.first == "d"
            let crc32 = known.dropFirst(isDeflated ? 3 : 2).first.map { UInt32(exactly: $0) }
            if case .some(nil) = crc32 { return nil }
            let place = Place.zip(
                header: known[0],
                deflatedByteCount: isDeflated ? known[2] : nil,
                crc32: crc32 ?? nil
            )
            return (place, known[1])
        default: return nil
        }
    }

    /// Percent-encodes all bytes except letters, digits and the characters `/-._~`.
    private static func encoded(_ path: [UInt8]) -> String {
        PercentCoding.encodedPath(path) { ASCII.isAlphanumeric($0) || "/-._~".utf8.contains($0) }
    }
}

/// The identity and version of an archive file: its device, inode, length and modification time.
package struct ArchiveStamp: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let byteCount: UInt64
    /// The time of the last write, in nanoseconds since 1970.
    private let modified: UInt64

    /// Creates a stamp from the file status returned by the system.
    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        byteCount = UInt64(status.st_size)
        modified =
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) &* 1_000_000_000
            &+ UInt64(bitPattern: Int64(status.st_mtim.tv_nsec))
    }

    /// Creates a stamp for a file that is still being written and is used only by this process.
    ///
    /// The stamp contains the device and inode of the file, but not its length and modification
    /// time.
    package init(growing status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        (byteCount, modified) = (0, 0)
    }

    /// Returns whether a file with this status is the same file, unchanged since the stamp was
    /// created.
    ///
    /// The length and modification time of a file that is still being written are not compared.
    func holds(of status: stat) -> Bool {
        let isGrowing = byteCount == 0 && modified == 0
        return self == (isGrowing ? ArchiveStamp(growing: status) : ArchiveStamp(status))
    }

    /// Parses a stamp in the format of the `text` property, or returns nil for other strings.
    package init?(_ text: some StringProtocol) {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
            .compactMap { UInt64($0, radix: 16) }
        guard numbers.count == 4 else { return nil }
        (device, inode, byteCount, modified) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// The stamp as four hexadecimal numbers, separated by hyphens.
    package var text: String {
        [device, inode, byteCount, modified].map { String($0, radix: 16) }.joined(separator: "-")
    }
}
