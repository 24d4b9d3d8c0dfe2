package import Glibc

/// The address of a file that lies in an archive on this machine.
///
///     archive:///data/shard.tar!/a/0001.jpg?p512-1234&2f-1c3-9a00-17c…
///               the archive       the file   place     stamp
///
/// Made by whoever has read the archive's directory: place and length stand in the address, so that one
/// read brings the file. The stamp is the archive's as it was then; one that was written again since is
/// refused. In both paths `!` is percent-encoded, so that the first `!/` parts them. Of an archive that
/// was unpacked as a whole, `&` and a number behind the stamp say which open file has its bytes.
package struct ArchivedFile: Hashable, Sendable {
    /// Where its bytes are.
    package enum Place: Hashable, Sendable {
        /// As they are, from an offset on.
        case plain(offset: Int)
        /// After a zip local header at an offset: stored as they are, or deflated to this many bytes. The
        /// checksum is of the file itself; nil in URLs written by versions that did not check it.
        case zip(header: Int, deflatedByteCount: Int?, crc32: UInt32?)
    }

    /// The archive's absolute path, in bytes.
    package let archive: [UInt8]
    /// The file's path in it.
    package let name: [UInt8]
    /// Where its bytes are.
    package let place: Place
    /// How many they are.
    package let byteCount: Int
    /// What the archive was, or its unpacked bytes.
    let stamp: ArchiveStamp
    /// The descriptor of the unpacked bytes; nil of an archive that is read itself.
    private let descriptor: Int32?

    /// The file to be opened, as `FileText` has it.
    var path: String { descriptor.map { "/proc/self/fd/\($0)" } ?? FileText.text(archive) }

    /// The scheme of such addresses.
    package static let scheme = "archive"
    private static let start = "archive://"

    /// The part of all addresses in an archive that stands before the file's path.
    package static func prefix(ofArchive path: [UInt8]) -> String {
        start + encoded(path) + "!/"
    }

    /// The file's path and its place, as they stand behind that.
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

    /// Takes an address apart; nil if it is none of these.
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

    /// Its place, in what its archive was, as text; nil in an archive that was unpacked, which is there
    /// for this process only.
    var placeText: String? {
        guard descriptor == nil else { return nil }
        return Self.reference(name: [], byteCount: byteCount, place: place) + Self.suffix(stamp)
    }

    /// What stands behind all references to files in an archive; `descriptor` has its bytes, if it was
    /// unpacked.
    package static func suffix(_ stamp: ArchiveStamp, descriptor: Int32? = nil) -> String {
        "&\(stamp.text)" + (descriptor.map { "&\($0)" } ?? "")
    }

    static func place(_ text: Substring) -> (Place, byteCount: Int)? {
        let numbers = text.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
            .map { Int($0) }
        // Sums of them don't overflow.
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

    /// Everything but letters, digits and a few signs that mean nothing in an address.
    private static func encoded(_ path: [UInt8]) -> String {
        PercentCoding.encodedPath(path) { ASCII.isAlphanumeric($0) || "/-._~".utf8.contains($0) }
    }
}

/// What tells an archive from another one, and from what it was before.
package struct ArchiveStamp: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let byteCount: UInt64
    /// Nanoseconds since 1970 of the last write.
    private let modified: UInt64

    /// Takes it from what the system says of the file.
    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        byteCount = UInt64(status.st_size)
        modified =
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) &* 1_000_000_000
            &+ UInt64(bitPattern: Int64(status.st_mtim.tv_nsec))
    }

    /// That of a file that grows, and is nobody else's: only which file it is counts.
    package init(growing status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        (byteCount, modified) = (0, 0)
    }

    /// Whether it is the archive that it was.
    func holds(of status: stat) -> Bool {
        let isGrowing = byteCount == 0 && modified == 0
        return self == (isGrowing ? ArchiveStamp(growing: status) : ArchiveStamp(status))
    }

    /// Reads what `text` wrote.
    package init?(_ text: some StringProtocol) {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false)
            .compactMap { UInt64($0, radix: 16) }
        guard numbers.count == 4 else { return nil }
        (device, inode, byteCount, modified) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// In hexadecimal digits.
    package var text: String {
        [device, inode, byteCount, modified].map { String($0, radix: 16) }.joined(separator: "-")
    }
}

extension URLNormaliser {
    /// What stands behind the colon, if it names a place.
    static func archive(_ rest: ArraySlice<UInt8>) -> Result<Parts, URLProblem> {
        let text = "\(ArchivedFile.scheme):" + String(decoding: rest, as: UTF8.self)
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain && ArchivedFile(url: text) != nil
            ? .success(Parts(scheme: .archive, absoluteString: text))
            : .failure(URLProblem("names no file in an archive"))
    }
}
