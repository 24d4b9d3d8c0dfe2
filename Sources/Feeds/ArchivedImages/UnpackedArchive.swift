internal import Glibc
internal import ImageLoading
package import SystemSupport

/// A gzip-compressed archive, and a temporary file with its unpacked bytes.
///
/// The file has no name and is deleted automatically when the program ends.
///
/// A gzip stream cannot be read from the middle, so it is unpacked once, up to the requested
/// offset. The bytes are not kept in memory because there may be too many of them. They are not
/// stored in the cache either: one archive would take as much space as the rest of the cache but
/// save only a second or two at the next start. Only the thread that reads an instance may use it,
/// but other threads may read the file at the same time.
package final class UnpackedArchive {
    /// The file with the unpacked bytes.
    package let copy: UnpackedCopy
    private let packed: Int32
    private let decoder: ContentDecoder
    private let limit: Int
    private var byteCount = 0
    private var isAtEnd = false
    /// The reason the unpacked bytes end too early, or nil if no problem has occurred.
    ///
    /// The text completes "the archive …".
    package private(set) var fault: String?

    private static let chunkByteCount = 256 << 10

    /// Creates an archive that unpacks an open file from its start, or returns nil if no file for
    /// the unpacked bytes can be created.
    ///
    /// The unpacked bytes use at most half of the free disk space.
    package init?(gzip packed: Int32) {
        guard let copy = UnpackedCopy(), let decoder = ContentDecoder("gzip"),
            lseek(packed, 0, SEEK_SET) == 0
        else { return nil }
        self.copy = copy
        self.packed = packed
        self.decoder = decoder
        limit = copy.freeByteCount / 2
    }

    /// Returns `count` bytes starting at an offset, or fewer at the end of the unpacked bytes.
    package func read(at offset: Int, count: Int) throws(FileReading.Problem) -> [UInt8] {
        while byteCount < offset + count, !isAtEnd { try unpackMore() }
        return try copy.read(at: offset, count: min(count, max(0, byteCount - offset)))
    }

    private func unpackMore() throws(FileReading.Problem) {
        let chunk = try FileReading.read(packed, count: Self.chunkByteCount)
        guard !chunk.isEmpty else { return end(decoder.isAtEnd ? nil : "is truncated") }
        var written = byteCount
        let outcome = chunk.withUnsafeBytes { chunk in
            decoder.decode(chunk) { piece in
                guard written + piece.count <= limit, copy.append(piece) else { return false }
                written += piece.count
                return true
            }
        }
        byteCount = written
        switch outcome {
        case .wantsMore: break
        case .damaged: end("is damaged (unpacked to byte \(written))")
        case .refused: end("is too large for the free disk space")
        }
    }

    private func end(_ fault: String?) {
        isAtEnd = true
        self.fault = fault
    }
}

/// An unnamed temporary file that is deleted when the last reference to it is released.
package final class UnpackedCopy: Hashable, Sendable {
    /// The descriptor of the open file.
    package let descriptor: Int32

    /// Creates a file with the bytes of an entire archive, or returns nil if no file can be created
    /// or there is not enough disk space.
    package convenience init?(_ bytes: [UInt8]) {
        self.init()
        guard bytes.withUnsafeBytes(append) else { return nil }
    }

    /// Creates an empty file, or returns nil if no file can be created.
    init?() {
        let folder = UserFolders().cache.map { UserFolders.join($0, "termgallery") }
        if let folder { UserFolders.make(folder) }
        let made = [folder, "/var/tmp", "/tmp"].compactMap(\.self).lazy.map(Self.file)
            .first { $0 >= 0 }
        guard let made else { return nil }
        descriptor = made
    }

    deinit {
        close(descriptor)
    }

    private static func file(in folder: String) -> Int32 {
        var path = FileText.path(folder + "/tmp-archive-XXXXXX")
        let file = mkstemp(&path)
        guard file >= 0 else { return file }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        unlink(path)
        return file
    }

    var freeByteCount: Int {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return 0 }
        let (count, overflow) = Int(status.f_bavail).multipliedReportingOverflow(
            by: Int(status.f_frsize)
        )
        return overflow ? .max : count
    }

    /// The identity of the file, or nil if the file status cannot be read.
    package var stamp: ArchiveStamp? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? ArchiveStamp(growing: status) : nil
    }

    /// Appends bytes and returns whether there was enough space for all of them.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = retryingOnInterrupt {
                write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }

    package func read(at offset: Int, count: Int) throws(FileReading.Problem) -> [UInt8] {
        try FileReading.read(descriptor, at: offset, count: count)
    }

    package static func == (left: UnpackedCopy, right: UnpackedCopy) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
