import Glibc
import ImageLoading
import SystemSupport

/// Reads a file or a pipe piece by piece; the caller must close the descriptor.
package struct FileBytes {
    /// The maximum size of a feed in bytes.
    ///
    /// A feed of a million lines takes about 100 MB, so a feed over the limit is a mistake or an
    /// attack.
    package static let maximumByteCount = 256 << 20
    private static let chunkByteCount = 1 << 18

    package let descriptor: Int32
    package let name: String

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Returns the next `count` bytes, or fewer at the end.
    package mutating func next(_ count: Int) throws(FeedError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let chunk = try fill(min(Self.chunkByteCount, count - bytes.count), isOneRead: true)
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }

    /// Returns all remaining bytes.
    package mutating func rest() throws(FeedError) -> [UInt8] {
        let bytes = try next(Self.maximumByteCount + 1)
        guard bytes.count <= Self.maximumByteCount else { throw tooLarge }
        return bytes
    }

    /// Returns `start` and all remaining bytes.
    ///
    /// A file of about `byteCount` bytes is read into an array of that size without copying.
    package mutating func rest(after start: [UInt8], byteCount: Int) throws(FeedError) -> [UInt8] {
        let capacity = max(start.count, min(byteCount, Self.maximumByteCount) + 1)
        let bytes = try fill(capacity, after: start)
        // The file is longer than expected.
        guard bytes.count == capacity else { return bytes }
        let more = try rest()
        guard bytes.count + more.count <= Self.maximumByteCount else { throw tooLarge }
        return bytes + more
    }

    private var tooLarge: FeedError { FeedError(name: name, fault: "is larger than 256 MiB") }

    /// Returns the bytes from one read, or an empty array at the end.
    package func nextChunk() throws(FeedError) -> [UInt8] {
        try fill(Self.chunkByteCount, isOneRead: true)
    }

    /// Returns `start` and the bytes read after it, up to `capacity` bytes in total.
    ///
    /// If `isOneRead` is true, only one read is performed. Otherwise, reading continues until the
    /// end.
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

/// Functions for absolute paths; all paths are encoded by `FileText`.
package enum AbsolutePath {
    package static func of(_ path: String) -> String {
        path.utf8.first == slash ? path : currentDirectory + "/" + path
    }

    /// Expands `~/` in a path typed by the user to the home directory, as a shell does.
    package static func expandingHome(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return FileText.text(cString: home) + path.dropFirst()
    }

    /// Returns the directory that contains `path`.
    package static func directory(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash), end != path.startIndex else { return "/" }
        return String(path[..<end])
    }

    /// Returns the last component of `path`.
    package static func name(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return path }
        return String(path[path.utf8.index(after: end)...])
    }

    /// The current directory, or "." if it no longer exists.
    package static var currentDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return FileText.text(cString: path)
    }

    /// The slash as a byte instead of a character, because a slash followed by a combining accent
    /// is a single character.
    private static let slash = UInt8(ascii: "/")
}
