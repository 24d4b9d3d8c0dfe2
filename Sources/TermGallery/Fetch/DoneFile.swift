import GalleryCore
import Glibc
import ImageLoading

/// What an earlier run has written, to be resumed.
struct DoneFile {
    let entries: DoneEntries
    /// Whether its last line has no end.
    let isCut: Bool
    /// Whether it is also where this run writes.
    let isStandardOutput: Bool

    /// Reads as much as there is at the beginning; a file that is not there is an empty one.
    static func read(_ path: String) throws -> DoneFile {
        let descriptor = open(FileText.path(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 || errno != ENOENT else {
            return DoneFile(entries: DoneEntries(), isCut: false, isStandardOutput: false)
        }
        defer { close(descriptor) }
        var (status, output) = (stat(), stat())
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let name = FileText.shown(path)
            throw ProgramFailure(.feedUnreadable, "\(name): \(String(cString: strerror(errno)))")
        }
        let isOutput =
            fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == status.st_dev
            && output.st_ino == status.st_ino
        var lines = LineCutter(file: FileBytes(descriptor: descriptor, name: path))
        do {
            let entries = try DoneEntries { add in
                try lines.forEach { line in
                    if let line = ReportedLine(line), line.isDone { add(line.url) }
                }
            }
            return DoneFile(entries: entries, isCut: lines.isCut, isStandardOutput: isOutput)
        } catch let error as FeedError {
            throw ProgramFailure(.feedUnreadable, error.description)
        }
    }
}

/// Cuts a file of any length into its lines.
struct LineCutter {
    let file: FileBytes
    /// Whether the last line had no end.
    private(set) var isCut = false

    init(file: FileBytes) {
        self.file = file
    }

    /// More is no line that we have written.
    private static let maximumByteCount = 16 << 20

    /// Calls `body` with each line and its line feed, which the last one is given if it has none; lines that
    /// are too long are left out.
    mutating func forEach(_ body: (UnsafeBufferPointer<UInt8>) -> Void) throws(FeedError) {
        var rest: [UInt8] = []
        var isTooLong = false
        while true {
            let chunk = try file.nextChunk()
            if chunk.isEmpty { break }
            rest += chunk
            let used = rest.withUnsafeBufferPointer { bytes in
                var start = 0
                while start < bytes.count,
                    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
                {
                    if !isTooLong { body(UnsafeBufferPointer(rebasing: bytes[start...end])) }
                    isTooLong = false
                    start = end + 1
                }
                return start
            }
            rest.removeFirst(used)
            if rest.count > Self.maximumByteCount { (isTooLong, rest) = (true, []) }
        }
        isCut = !rest.isEmpty || isTooLong
        guard !rest.isEmpty, !isTooLong else { return }
        rest.append(UInt8(ascii: "\n"))
        rest.withUnsafeBufferPointer(body)
    }
}
