internal import CLinux

/// The extended attribute in which a file carries its record.
///
/// ext4 has room for one of 4,000 bytes: 50 still lie in the file's inode, 80 take a block of
/// their own. tmpfs has more; FAT has none.
enum FileAttribute {
    static let name = "user.termgallery"

    /// The attribute of an open file; nil if it has none or the file system knows of none.
    static func value(of file: Int32) -> [UInt8]? {
        // A byte more than the longest, to tell what can't be ours.
        let capacity = EntryRecord.maximumByteCount + 1
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = max(0, fgetxattr(file, name, buffer.baseAddress, capacity))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Takes the attribute away; best effort.
    static func remove(from file: Int32) {
        fremovexattr(file, name)
    }
}
