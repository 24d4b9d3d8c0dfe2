import CLinux
import Glibc
import ImageLoading
import SystemSupport

/// An event from the kernel about a watched directory.
struct FolderEvent: Equatable {
    /// The kinds of changes that an event reports.
    struct Kind: OptionSet {
        let rawValue: UInt32

        static let written = Kind(rawValue: UInt32(IN_CLOSE_WRITE))
        static let movedFrom = Kind(rawValue: UInt32(IN_MOVED_FROM))
        static let movedTo = Kind(rawValue: UInt32(IN_MOVED_TO))
        static let created = Kind(rawValue: UInt32(IN_CREATE))
        static let deleted = Kind(rawValue: UInt32(IN_DELETE))
        /// The directory itself was deleted, moved or unmounted, or the kernel removed its watch.
        static let folderGone = Kind(
            rawValue: UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)
        )
        /// More events occurred than the kernel can store, so some events were lost.
        static let overflow = Kind(rawValue: UInt32(IN_Q_OVERFLOW))
        static let isFolder = Kind(rawValue: UInt32(IN_ISDIR))
    }

    /// The number of the inotify watch that reported the event, or -1 for an overflow.
    let watch: Int32
    let kind: Kind
    /// The number that links the two events of a move, `movedFrom` and `movedTo`.
    let cookie: UInt32
    /// The name of the file or subdirectory, encoded by `FileText`.
    ///
    /// The name is empty if the event is about the directory itself.
    let name: String

    /// Parses bytes read from an inotify descriptor, up to the first invalid event.
    static func parse(_ bytes: [UInt8]) -> [FolderEvent] {
        var events: [FolderEvent] = []
        var rest = bytes[...]
        let headByteCount = 16
        while rest.count >= headByteCount {
            let number = { (index: Int) in
                rest.dropFirst(4 * index).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
            let nameByteCount = Int(number(3))
            guard rest.count >= headByteCount + nameByteCount else { break }
            let name = rest.dropFirst(headByteCount).prefix(nameByteCount).prefix { $0 != 0 }
            events.append(
                FolderEvent(
                    watch: Int32(bitPattern: number(0)),
                    kind: Kind(rawValue: number(1)),
                    cookie: number(2),
                    name: FileText.text(name)
                )
            )
            rest = rest.dropFirst(headByteCount + nameByteCount)
        }
        return events
    }
}

/// A source of kernel events about watched directories (inotify).
final class FolderEventSource {
    /// The inotify descriptor, which is readable when events are pending.
    let descriptor: Int32

    /// Creates an inotify descriptor, or returns nil on failure.
    ///
    /// This fails, for example, if the user has too many inotify descriptors.
    init?() {
        descriptor = clinux_inotify()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Starts watching a directory, and returns the number of the watch.
    ///
    /// Returns nil and sets `errno` on failure. If `followsLinks` is true and the path is a
    /// symbolic link, its target is watched.
    func watch(_ path: String, followsLinks: Bool) -> Int32? {
        let watch = clinux_inotify_watch_folder(descriptor, FileText.path(path), followsLinks)
        return watch >= 0 ? watch : nil
    }

    func unwatch(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
    }

    /// Reads all pending events.
    func takeAll() -> [FolderEvent] {
        var events: [FolderEvent] = []
        // The number of reads is limited because events that arrive faster than they are read would
        // keep this loop running forever.
        for _ in 0..<16 {
            let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            guard !bytes.isEmpty else { break }
            events += FolderEvent.parse(bytes)
        }
        return events
    }
}

/// A namespace for checking whether the kernel reports all changes in a file system.
enum FileSystemKind {
    /// Returns whether other machines may change a directory.
    ///
    /// inotify doesn't report changes made by other machines.
    static func isShared(_ path: String) -> Bool {
        sharedMagics.contains(clinux_file_system(FileText.path(path)))
    }

    /// The magic numbers of NFS, SMB and CIFS, FUSE, 9p, Ceph, AFS, VirtualBox, Lustre and GPFS, as
    /// returned by statfs(2).
    private static let sharedMagics: Set<UInt32> = [
        0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x00C3_6400,
        0x5346_414F, 0x786F_4256, 0x0BD0_0BD0, 0x4750_4653,
    ]
}
