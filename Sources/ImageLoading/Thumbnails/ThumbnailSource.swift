internal import Glibc

/// What a kept thumbnail was made of: it answers for this and nothing else.
enum ThumbnailSource: Hashable, Sendable {
    /// A body on disk.
    case body(ContentChecksum)
    /// Part of one, which was enough for the image.
    case partial(ContentChecksum)
    /// A file of this machine.
    case file(FileStamp)
}

/// What tells a file from others, and from what it was before, without reading it.
///
/// Device and inode say which file it is, whatever it is called. Length and time of the last write
/// change with its content; and where a program sets that time back, as `cp -p`, `touch -r` and
/// archivers do, the time of the last change of its inode, which nobody can set, does not.
struct FileStamp: Hashable, Sendable {
    static let encodedByteCount = 40
    /// A file that was changed so many seconds ago may be changed once more at the same tick of its
    /// clock: file systems count in steps of a nanosecond up to two seconds.
    private static let settlingTime = 2

    let device: UInt64
    let inode: UInt64
    let byteCount: UInt64
    /// Nanoseconds since 1970 of the last write.
    private let modified: UInt64
    /// Nanoseconds since 1970 of the last change of anything but its times of use.
    private let changed: UInt64

    /// Takes it from what the system says of the file.
    init(_ status: stat) {
        func nanoseconds(_ time: timespec) -> UInt64 {
            UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
                &+ UInt64(bitPattern: Int64(time.tv_nsec))
        }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        byteCount = UInt64(clamping: status.st_size)
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
    }

    /// That of a regular file, symbolic links followed; nil if there is none.
    ///
    /// Blocks. `path` is as `FileText` has it.
    init?(ofFile path: String) {
        var status = stat()
        guard stat(FileText.path(path), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        self.init(status)
    }

    /// Whether the file's next change will have another time, by the wall clock's seconds.
    func isSettled(at now: Int) -> Bool {
        let seconds = Int64(bitPattern: changed) / 1_000_000_000
        return (now &- Int(clamping: seconds)).magnitude > Self.settlingTime
    }

    /// Whole seconds since 1970 of the last write.
    var modifiedSeconds: Int {
        let nanoseconds = Int64(bitPattern: modified)
        // Before 1970 too: the next lower second.
        return Int((nanoseconds - (nanoseconds < 0 ? 999_999_999 : 0)) / 1_000_000_000)
    }

    /// Takes `encodedByteCount` bytes.
    init(decoding bytes: ArraySlice<UInt8>) {
        let numbers = (0..<5).map { bytes.dropFirst($0 * 8).prefix(8).littleEndian }
        (device, inode, byteCount) = (numbers[0], numbers[1], numbers[2])
        (modified, changed) = (numbers[3], numbers[4])
    }

    func encoded() -> [UInt8] {
        [device, inode, byteCount, modified, changed].reduce(into: []) { result, number in
            result.append(littleEndian: number, byteCount: 8)
        }
    }
}

/// A picture on this machine that thumbnails are kept of: a file, or one in an archive.
struct LocalPicture: Sendable {
    /// As `FileText` has it.
    let path: String
    /// Which of an archive's files; empty for a file of its own.
    let member: String

    /// Nil for a URL of another kind, and for an archive that is there for this process only.
    init?(_ url: ImageURL) {
        if let path = url.filePathBytes {
            self.path = FileText.text(path)
            member = ""
        } else if let file = url.archivedFile, let member = file.placeText {
            path = file.path
            self.member = member
        } else {
            return nil
        }
    }

    /// Where the thumbnail of the file with this stamp lies, at a size.
    ///
    /// By what the file is and not by its path, so that another path of it has the same thumbnail,
    /// and by none of what changes, so that the thumbnail of what the file has become takes the place
    /// of the old one. Not by digests of libcrypto, which takes longer to load than a screen of these.
    func key(_ stamp: FileStamp, _ image: ImageKey, _ url: ImageURL) -> (DiskKey, EntryName.Kind) {
        let place = "\(stamp.device):\(stamp.inode):\(member)"
        let file = CacheFileName(digest: Self.digest(of: place))
        let owner = Self.digest(of: "\(place)\n\(image.shape)")
        let number = UInt32(truncatingIfNeeded: owner.high)
        return (DiskKey(url: url, file: file, owner: owner), .thumbnail(number))
    }

    private static func digest(of text: String) -> MessageDigest {
        MessageDigest(
            high: Checksum.of(Array("thumbnail \(text)".utf8)),
            low: Checksum.of(Array("\(text) thumbnail".utf8))
        )
    }
}
