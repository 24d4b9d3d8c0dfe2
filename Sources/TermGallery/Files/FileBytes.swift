import GalleryCore
import Glibc
import ImageLoading

/// Reads a descriptor piece by piece, files and pipes alike; it stays the caller's to close.
struct FileBytes {
    /// A feed of a million lines is about 100 MB; more is a mistake, or hostile.
    static let maximumByteCount = 256 << 20
    private static let chunkByteCount = 1 << 18

    let descriptor: Int32
    let name: String

    /// The next `count` bytes; fewer only at the end.
    mutating func next(_ count: Int) throws(FeedError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let chunk = try fill(min(Self.chunkByteCount, count - bytes.count), isOneRead: true)
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }

    /// Everything that is left.
    mutating func rest() throws(FeedError) -> [UInt8] {
        let bytes = try next(Self.maximumByteCount + 1)
        guard bytes.count <= Self.maximumByteCount else { throw tooLarge }
        return bytes
    }

    /// What was read before and everything that is left; a file that is about `byteCount` bytes long is
    /// read into memory of its size, without a copy.
    mutating func rest(after start: [UInt8], byteCount: Int) throws(FeedError) -> [UInt8] {
        let capacity = max(start.count, min(byteCount, Self.maximumByteCount) + 1)
        let bytes = try fill(capacity, after: start)
        // It is longer than it was said to be.
        guard bytes.count == capacity else { return bytes }
        let more = try rest()
        guard bytes.count + more.count <= Self.maximumByteCount else { throw tooLarge }
        return bytes + more
    }

    private var tooLarge: FeedError { FeedError(name: name, fault: "is larger than 256 MiB") }

    /// What can be had by one read; empty at the end.
    func nextChunk() throws(FeedError) -> [UInt8] {
        try fill(Self.chunkByteCount, isOneRead: true)
    }

    /// Bytes in memory for so many: `start` and what is read behind it, by one read or to the end.
    private func fill(
        _ capacity: Int,
        after start: [UInt8] = [],
        isOneRead: Bool = false
    ) throws(FeedError) -> [UInt8] {
        var errorNumber: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = buffer.initialize(fromContentsOf: start)
            while count < capacity, let base = buffer.baseAddress {
                let received = read(descriptor, base + count, capacity - count)
                if received < 0, errno == EINTR { continue }
                if received < 0 { errorNumber = errno }
                guard received > 0 else { break }
                count += received
                if isOneRead { break }
            }
        }
        guard errorNumber == 0 else {
            throw FeedError(name: name, fault: String(cString: strerror(errorNumber)))
        }
        return bytes
    }
}

/// Paths as the shell gave them, made absolute; names as `FileText` has them.
enum AbsolutePath {
    static func of(_ path: String) -> String {
        path.utf8.first == slash ? path : currentDirectory + "/" + path
    }

    /// A path that a person typed, as a shell takes it: `~/` is the home folder.
    static func expandingHome(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return FileText.text(cString: home) + path.dropFirst()
    }

    /// The folder that holds `path`.
    static func directory(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash), end != path.startIndex else { return "/" }
        return String(path[..<end])
    }

    /// Where the shell was; "." if that is gone.
    static var currentDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return FileText.text(cString: path)
    }

    /// Bytes, not characters: a slash with an accent behind it is one character.
    private static let slash = UInt8(ascii: "/")
}
