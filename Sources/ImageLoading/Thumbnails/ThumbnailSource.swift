internal import Glibc
internal import SystemSupport

/// The source of a stored thumbnail; the thumbnail is valid only for this source.
enum ThumbnailSource: Hashable, Sendable {
    /// A body on disk.
    case body(ContentChecksum)
    /// A partial body that was sufficient for the image.
    case partial(ContentChecksum)
    /// A file on this machine.
    case file(FileStamp)
}

/// The device, inode, length and times of a file, which identify the file and its current version.
///
/// These properties are known without reading the file. Device and inode identify the file,
/// regardless of its name. Its length and the time of the last write change with its content.
/// Programs such as `cp -p`, `touch -r` and archivers may set that time back, but they cannot set
/// the time of the last inode change.
struct FileStamp: Hashable, Sendable {
    static let encodedByteCount = 40
    /// How long after a change another change may get the same time stamp, in seconds.
    ///
    /// The time resolution of file systems ranges from a nanosecond to two seconds.
    private static let settlingTime = 2

    let device: UInt64
    let inode: UInt64
    let byteCount: UInt64
    /// The time of the last write, in nanoseconds since 1970.
    private let modified: UInt64
    /// The time of the last inode change, in nanoseconds since 1970.
    ///
    /// Every change to the file updates it, except a change of the access time.
    private let changed: UInt64

    /// Creates a `FileStamp` from the status of a file.
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

    /// Creates the `FileStamp` of a regular file; symbolic links are followed.
    ///
    /// Returns nil if there is no regular file at `path`, which is in the encoding of `FileText`.
    /// This initializer blocks.
    init?(ofFile path: String) {
        var status = stat()
        guard stat(FileText.path(path), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        self.init(status)
    }

    /// Returns whether the next change of the file will get a different time stamp.
    ///
    /// `now` is the wall-clock time in seconds since 1970.
    func isSettled(at now: Int) -> Bool {
        let seconds = Int64(bitPattern: changed) / 1_000_000_000
        return (now &- Int(clamping: seconds)).magnitude > Self.settlingTime
    }

    /// The time of the last write, in whole seconds since 1970.
    var modifiedSeconds: Int {
        let nanoseconds = Int64(bitPattern: modified)
        // Round down times before 1970, too.
        return Int((nanoseconds - (nanoseconds < 0 ? 999_999_999 : 0)) / 1_000_000_000)
    }

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

/// A local image that thumbnails may be stored for: a file or a member of an archive.
struct LocalPicture: Sendable {
    /// The path, in the encoding of `FileText`.
    let path: String
    /// The name of the member in the archive; empty if the image is not in an archive.
    let member: String

    /// Creates the description of the local image that a load requests.
    ///
    /// Returns nil if the image is neither a local file nor in an `ImageContainer`.
    init?(_ key: LoadKey) {
        if let path = key.url.filePathBytes {
            self.path = FileText.text(path)
            member = ""
        } else if let container = key.localData?.container {
            path = container.path
            member = container.member
        } else {
            return nil
        }
    }

    /// Returns the key for the file's thumbnail at the size of `image`.
    ///
    /// The key depends on the file's device and inode instead of its path, so all paths to the file
    /// lead to the same thumbnail. It does not depend on the file's size and times, so the
    /// thumbnail of a changed file replaces the old one. It does not use libcrypto's digests,
    /// because loading that library takes longer than loading a screenful of these thumbnails.
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
