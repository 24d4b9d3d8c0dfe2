internal import Glibc

/// An archive that was packed as a whole by gzip: its bytes as they were before, in a file that has no
/// name and goes with the program.
///
/// A stream of gzip can't be entered in its middle, and is unpacked once, as far as it is asked for. Not in
/// memory, as it may be large; and not in the cache, as one that was kept would be as large as all that
/// the cache holds, to save a second or two at the next start. Belongs to the thread that reads; the file
/// may be read by others meanwhile.
package final class UnpackedArchive {
    /// The unpacked bytes.
    package let copy: UnpackedCopy
    private let packed: Int32
    private let decoder: ContentDecoder
    private let limit: Int
    private var byteCount = 0
    private var isAtEnd = false
    /// Why it ends before its end; the text finishes "the archive …".
    package private(set) var fault: String?

    private static let chunkByteCount = 256 << 10

    /// Reads what is packed from an open file, from its start; nil where there is no room for a file.
    ///
    /// No more than half of the room there is taken.
    package init?(gzip packed: Int32) {
        guard let copy = UnpackedCopy(), let decoder = ContentDecoder("gzip"),
            lseek(packed, 0, SEEK_SET) == 0
        else { return nil }
        self.copy = copy
        self.packed = packed
        self.decoder = decoder
        limit = copy.freeByteCount / 2
    }

    /// Bytes from an offset on; fewer only at the end.
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

/// A file without a name, which is gone with the last who has it.
package final class UnpackedCopy: Hashable, Sendable {
    /// The open file.
    package let descriptor: Int32

    /// Of an archive that came as a whole; nil where there is no room.
    package convenience init?(_ bytes: [UInt8]) {
        self.init()
        guard bytes.withUnsafeBytes(append) else { return nil }
    }

    /// Nil where none can be made.
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

    /// What it is told from other files by.
    package var stamp: ArchiveStamp? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? ArchiveStamp(growing: status) : nil
    }

    /// Whether there was room for all of the bytes.
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
