import Feeds
import FoundationEssentials
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// The file that stores labels, one JSON object per line.
///
/// The lines are in the order in which the labels were set. When `append` returns, the kernel has
/// received the label, so it is not lost no matter how the program ends. A separate thread writes
/// the label to disk. Use this class on the UI thread only.
final class LabelFile {
    /// The labels from the file, keyed by image URL without user name and password.
    let labels: [String: UInt8]
    /// The number of lines that were skipped because they are damaged, incomplete or from another
    /// program.
    let skippedLineCount: Int

    /// The path to reopen, or nil for a file that was passed as a descriptor.
    private var path: String?
    private var descriptor: SharedDescriptor
    private let pool = WorkerPool(name: "labels", threadCount: 1)
    private let isSyncing = Protected(false)
    /// Whether the last line has no line terminator.
    ///
    /// If so, the next line must start with a line terminator; otherwise, both lines would be lost.
    private var lacksLineEnd: Bool

    /// Opens or creates a file, and reads its labels.
    ///
    /// Throws an error if the file can't be opened for writing, so no label is lost later.
    convenience init(path: String) throws(ProgramFailure) {
        do throws(Problem) {
            try self.init(descriptor: try Self.open(path))
        } catch {
            throw Self.failure(path, error.reason)
        }
        self.path = path
    }

    private static func open(_ path: String) throws(Problem) -> Int32 {
        let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let descriptor = Glibc.open(FileText.path(path), flags, 0o666)
        guard descriptor >= 0 else { throw .system(errno) }
        return descriptor
    }

    /// The reason why a file can't be opened or read, or a line can't be written.
    struct Problem: Error, Equatable {
        let reason: String

        fileprivate static func system(_ code: Int32) -> Problem {
            Problem(reason: String(cString: strerror(code)))
        }
    }

    private static func failure(_ path: String, _ reason: String) -> ProgramFailure {
        let name = FileText.shown(path)
        return ProgramFailure(.usage, "cannot save labels in \(name): \(reason)")
    }

    /// Creates a label file from an open file descriptor.
    ///
    /// The descriptor is closed when the object is released.
    init(descriptor: Int32) throws(Problem) {
        self.descriptor = SharedDescriptor(descriptor)
        let byteCount = Int(try Self.status(of: descriptor).st_size)
        let bytes = try Self.read(descriptor, byteCount: byteCount)
        var (labels, skipped): ([String: UInt8], Int) = ([:], 0)
        // Reserving capacity avoids rehashing. Lines written by this program are about 100 bytes
        // long.
        labels.reserveCapacity(bytes.count / 100)
        bytes.withUnsafeBufferPointer { bytes in
            Self.forEachLine(of: bytes) { line in
                if let plain = PlainLabelLine(line) {
                    labels[plain.address] = plain.label
                } else if let record = LabelRecord(line: line) {
                    labels[record.address] = record.label
                } else {
                    skipped += 1
                }
            }
        }
        (self.labels, skippedLineCount) = (labels, skipped)
        lacksLineEnd = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
    }

    /// Calls `body` with each non-empty line, without its line terminator.
    private static func forEachLine(
        of bytes: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        guard var start = UnsafeRawPointer(bytes.baseAddress) else { return }
        let end = start + bytes.count
        while start < end {
            let found = memchr(start, 0x0A, end - start)
            let lineEnd = UnsafeRawPointer(found) ?? end
            if lineEnd > start {
                let line = UnsafeRawBufferPointer(start: start, count: lineEnd - start)
                body(line.bindMemory(to: UInt8.self))
            }
            start = lineEnd + 1
        }
    }

    private static func status(of descriptor: Int32) throws(Problem) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Problem(reason: "not a regular file")
        }
        return status
    }

    /// Reopens the path if it now refers to a different file or to no file.
    ///
    /// `sed -i`, editors and `git checkout` replace a file instead of writing to it. Labels written
    /// to the old file would be lost without notice.
    private func followPath() throws(Problem) {
        guard let path else { return }
        let known = try Self.status(of: descriptor.number)
        var named = stat()
        if stat(FileText.path(path), &named) == 0, named.st_dev == known.st_dev,
            named.st_ino == known.st_ino
        {
            return
        }
        let replacement = SharedDescriptor(try Self.open(path))
        let length = try Self.status(of: replacement.number).st_size
        var last: UInt8 = 0
        lacksLineEnd =
            length > 0 && pread(replacement.number, &last, 1, length - 1) == 1
            && last != UInt8(ascii: "\n")
        descriptor = replacement
    }

    private static func read(_ descriptor: Int32, byteCount: Int) throws(Problem) -> [UInt8] {
        var file = FileBytes(descriptor: descriptor, name: "the file")
        do throws(FeedError) {
            return try file.rest(after: [], byteCount: byteCount)
        } catch {
            throw Problem(reason: error.description)
        }
    }

    /// Appends a line to the file for a label that the user has set or removed.
    ///
    /// If the line can't be written to disk, `onSyncFailure` is called on another thread with the
    /// reason.
    func append(
        _ decision: LabelDecision,
        at time: Date = .now,
        onSyncFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(Problem) {
        try followPath()
        var line = try LabelRecord(decision).line(at: time)
        if lacksLineEnd { line.insert(UInt8(ascii: "\n"), at: 0) }
        // The line is written with a single call, so lines from several running galleries don't
        // mix.
        let count = write(descriptor.number, line, line.count)
        guard count == line.count else {
            let code = count < 0 ? errno : ENOSPC
            // A partially written line must be terminated before the next line is written.
            lacksLineEnd = lacksLineEnd || count > 0
            throw .system(code)
        }
        lacksLineEnd = false
        sync(onSyncFailure)
    }

    /// Appends a line for a label that the user has set or removed, and returns the reason if this
    /// fails.
    ///
    /// If writing to disk fails later, a notice is posted to the mailbox.
    func keep(_ decision: LabelDecision, mailbox: Mailbox<GalleryMail>) -> String? {
        do throws(Problem) {
            try append(decision) { reason in
                mailbox.post(.notice("labels may not be stored on disk: \(reason)", .failure))
            }
            return nil
        } catch {
            return error.reason
        }
    }

    /// Writes the file to disk on another thread.
    ///
    /// If several labels are set in quick succession, a single sync covers all of them.
    private func sync(_ onFailure: @escaping @Sendable (String) -> Void) {
        let isUnderWay = isSyncing.withLock { isSyncing in
            defer { isSyncing = true }
            return isSyncing
        }
        guard !isUnderWay else { return }
        pool.submit(priority: .high) { [descriptor, isSyncing] in
            // A label written after this point requires another sync.
            isSyncing.withLock { $0 = false }
            guard fsync(descriptor.number) != 0 else { return }
            onFailure(String(cString: strerror(errno)))
        }
    }

    /// A descriptor that stays open while a thread uses it.
    private final class SharedDescriptor: Sendable {
        let number: Int32
        init(_ number: Int32) { self.number = number }
        deinit { close(number) }
    }
}

/// A line of a label file.
///
/// The line replaces any earlier label for the same image.
struct LabelRecord: Equatable {
    /// The URL of the image without user name and password.
    let address: String
    /// The label, or nil if the label was removed.
    let label: UInt8?
    let name: String?
    /// The feed's details about the image, as members of a JSON object.
    ///
    /// The array is empty if the line was parsed from the file.
    private(set) var members: [String] = []

    init(_ decision: LabelDecision) {
        (address, label, name) = (decision.address, decision.label, decision.name)
        members = PictureRecord.members(decision.details)
    }

    /// Parses a line with any JSON formatting, or returns nil if the line is damaged.
    init?(line: UnsafeBufferPointer<UInt8>) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(line)),
            let address = fields.url ?? fields.path.map(Self.address)
        else { return nil }
        self.init(address: address, label: fields.label, name: fields.name)
    }

    private init(address: String, label: UInt8?, name: String?) {
        (self.address, self.label, self.name) = (address, label, name)
    }

    private static func address(ofPath path: String) -> String {
        PercentCoding.fileURL(path: path.utf8)
    }

    /// Returns the line, including its line terminator.
    func line(at time: Date) throws(LabelFile.Problem) -> [UInt8] {
        let path = PictureAddress.path(ofURL: address).flatMap {
            String(validating: $0, as: UTF8.self)
        }
        let fields = Fields(
            url: path == nil ? address : nil,
            path: path,
            label: label,
            name: name,
            time: time.formatted(.iso8601)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(fields) else {
            throw LabelFile.Problem(reason: "cannot be written as JSON")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        if !members.isEmpty { text = text.dropLast() + "," + members.joined(separator: ",") + "}" }
        return Array((EscapedText.of(text) + "\n").utf8)
    }

    private struct Fields: Codable {
        var url: String?
        var path: String?
        var label: UInt8?
        var name: String?
        var time: String?

        private enum Key: String, CodingKey {
            case url, path, label, name, time
        }

        init(url: String?, path: String?, label: UInt8?, name: String?, time: String?) {
            (self.url, self.path, self.label, self.name, self.time) = (url, path, label, name, time)
        }

        /// Decodes a line.
        ///
        /// If the label is null, the line removes the label. If the label is missing, the line is
        /// damaged.
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            url = try fields.decodeIfPresent(String.self, forKey: .url)
            path = try fields.decodeIfPresent(String.self, forKey: .path)
            let isNone = try fields.decodeNil(forKey: .label)
            label = isNone ? nil : try fields.decode(UInt8.self, forKey: .label)
            guard label.map({ (1...9).contains($0) }) ?? true else {
                let context = DecodingError.Context(codingPath: [], debugDescription: "no label")
                throw DecodingError.dataCorrupted(context)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encodeIfPresent(url, forKey: .url)
            try fields.encodeIfPresent(path, forKey: .path)
            try fields.encode(label, forKey: .label)
            try fields.encodeIfPresent(name, forKey: .name)
            try fields.encodeIfPresent(time, forKey: .time)
        }
    }
}
