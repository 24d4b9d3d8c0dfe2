import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// The reports of an earlier run that this run resumes.
struct DoneFile {
    let entries: DoneEntries
    /// Whether the last line is incomplete because it has no line terminator.
    let isCut: Bool
    /// Whether this file is also the standard output of this run.
    let isStandardOutput: Bool
    /// The samples that the earlier run wrote to its last tar file but did not report.
    ///
    /// They also count as finished.
    var untold: [UntoldSamples.Report] = []

    /// Reads the reports of an earlier run from the file at `path`.
    ///
    /// A missing file counts as empty. `lastShard` is the last tar file of the earlier run.
    static func read(
        _ path: String,
        lastShard: ShardWriter.Shard? = nil
    ) throws -> DoneFile {
        let descriptor = open(FileText.path(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 || errno != ENOENT else {
            return DoneFile(untoldOf: lastShard)
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
            var untold: [UntoldSamples.Report] = []
            let entries = try DoneEntries { add in
                var told: Set<String> = []
                try lines.forEach { line in
                    guard let report = ReportedLine(line), report.isDone else { return }
                    add(report.url)
                    guard let lastShard else { return }
                    if let key = ReportedLine.key(inShard: lastShard.name, line) {
                        told.insert(key)
                    }
                }
                untold = lastShard.map { UntoldSamples(in: $0, told: told).reports } ?? []
                for report in untold { add(report.url) }
            }
            return DoneFile(
                entries: entries,
                isCut: lines.isCut,
                isStandardOutput: isOutput,
                untold: untold
            )
        } catch let error as FeedError {
            throw ProgramFailure(.feedUnreadable, error.description)
        }
    }
}

extension DoneFile {
    /// Creates a value for an earlier run that was killed before it wrote a report.
    ///
    /// The samples in its last tar file count as finished.
    private init(untoldOf shard: ShardWriter.Shard?) {
        let reports = shard.map { UntoldSamples(in: $0, told: []).reports } ?? []
        let entries = DoneEntries { add in
            for report in reports { add(report.url) }
        }
        self.init(entries: entries, isCut: false, isStandardOutput: false, untold: reports)
    }
}

/// Splits a file of any length into lines.
struct LineCutter {
    let file: FileBytes
    /// Whether the last line had no line break at its end.
    private(set) var isCut = false

    init(file: FileBytes) {
        self.file = file
    }

    /// The maximum length of a line in bytes.
    ///
    /// This program never writes a longer line.
    private static let maximumByteCount = 16 << 20

    /// Calls `body` with each line, including its line feed.
    ///
    /// If the last line has no line feed, one is appended. Lines that are too long are skipped.
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
