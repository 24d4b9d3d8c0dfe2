import Decoders
import Dispatch
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// A queue that passes the entries of lists from the reading thread to the loading thread.
///
/// Reading pauses while earlier entries are waiting to be loaded, so a list of any length needs
/// memory for only a few batches. A process that writes to the pipe is blocked during the pause.
final class FetchInput: Sendable {
    /// A part of the input, or information about it.
    enum Part: Sendable {
        /// A batch of entries.
        ///
        /// The receiver must call `wantMore` once for each batch.
        case entries([ListEntry])
        /// The total number of entries.
        ///
        /// It is reported as soon as it is known, but no later than at the end of the input.
        case total(Int)
        /// A remark about the list for the user.
        case remark(String)
        /// The end of the input, with an error if a source could not be read.
        case ended(FeedError?)
    }

    /// The number of batches to read in advance.
    private static let batchesAhead = 2

    private let read: @Sendable (FetchInput) throws(FeedError) -> Void
    private let onPart = Protected<(@Sendable (Part) -> Void)?>(nil)
    private let isClosed = Protected(false)
    private let given = Protected(0)
    /// The feeds that were read completely.
    ///
    /// The feed of a fully received archive owns the copy from which the images are read, so the
    /// feed must be kept.
    private let kept = Protected<[Feed]>([])
    // The semaphore is created with 0 and then signaled because libdispatch traps if a semaphore is
    // released while its value is lower than its initial value.
    private let room = DispatchSemaphore(value: 0)

    /// Creates an input.
    ///
    /// `read` is called on a separate thread and passes its results to the input.
    init(read: @escaping @Sendable (FetchInput) throws(FeedError) -> Void) {
        self.read = read
        for _ in 0..<Self.batchesAhead { room.signal() }
    }

    /// Starts reading, and returns false if no thread can be started.
    ///
    /// `onPart` is called on the reading thread.
    func start(onPart: @escaping @Sendable (Part) -> Void) -> Bool {
        self.onPart.withLock { $0 = onPart }
        return POSIXThread.startDetached(name: "list") { [self] in
            do throws(FeedError) {
                try read(self)
                tell(.total(given.withLock(\.self)))
                tell(.ended(nil))
            } catch {
                tell(.ended(error))
            }
        }
    }

    /// Allows the reading thread to pass on another batch.
    func wantMore() {
        room.signal()
    }

    /// Stops reading at the next batch.
    ///
    /// Nothing more is reported. If the reading thread is waiting for data from a pipe, it keeps
    /// waiting until the process ends.
    func close() {
        isClosed.withLock { $0 = true }
        onPart.withLock { $0 = nil }
        kept.withLock { $0 = [] }
        room.signal()
    }

    // MARK: For the reading thread

    /// Passes on the entries of a piece of the list in batches.
    ///
    /// Waits for the receiver before each batch, and returns false if the entries are no longer
    /// needed.
    func give(_ piece: ListPiece) -> Bool {
        var index = 0
        while index < piece.count {
            var batch: [ListEntry] = []
            var byteCount = 0
            while index < piece.count, batch.count < 256, byteCount < 256 << 10 {
                let entry = piece[index]
                batch.append(entry)
                byteCount += entry.byteCount
                index += 1
            }
            room.wait()
            guard !isClosed.withLock(\.self) else { return false }
            given.withLock { [count = batch.count] in $0 += count }
            tell(.entries(batch))
        }
        return true
    }

    func tell(_ part: Part) {
        onPart.withLock(\.self)?(part)
    }
}

extension FetchInput {
    /// Creates an input from the items of an existing feed.
    convenience init(feed: Feed) {
        self.init { input in
            input.tell(.total(feed.count))
            _ = input.give(ListPiece(feed))
        }
    }

    /// Creates an input that reads several sources in order.
    ///
    /// Lists are read piece by piece, and all other sources are read completely.
    convenience init(_ sources: [FeedSource], reader: FeedReader, descriptor: Int32 = STDIN_FILENO)
    {
        self.init { (input) throws(FeedError) in
            var whole: [FeedSource] = []
            for source in sources {
                guard let list = try ListFile(source, descriptor: descriptor) else {
                    whole.append(source)
                    continue
                }
                defer { list.close() }
                guard try input.give(whole, reader), try input.give(list, reader) else { return }
                whole = []
            }
            _ = try input.give(whole, reader)
        }
    }

    private func give(_ sources: [FeedSource], _ reader: FeedReader) throws(FeedError) -> Bool {
        guard !sources.isEmpty else { return true }
        let feed = try reader.read(sources)
        kept.withLock { $0.append(feed) }
        if let remark = feed.remark { tell(.remark(remark)) }
        return give(ListPiece(feed))
    }

    private func give(_ list: ListFile, _ reader: FeedReader) throws(FeedError) -> Bool {
        var growing = GrowingFeed(
            title: list.name,
            base: list.base,
            origin: .local,
            options: reader.options
        )
        growing.append(list.start)
        var isRemarked = false
        while true {
            let bytes = try list.file.nextChunk()
            if !bytes.isEmpty { growing.append(bytes) }
            let piece = try growing.takePiece(isEnd: bytes.isEmpty)
            if let remark = growing.layoutRemark, !isRemarked {
                isRemarked = true
                tell(.remark(remark))
            }
            if let piece, !give(piece) { return false }
            if let document = growing.document {
                return try give(document, list: list, reader: reader.fitted(to: growing))
            }
            guard !bytes.isEmpty else { return true }
            guard growing.heldByteCount <= FileBytes.maximumByteCount else {
                throw FeedError(name: list.name, fault: "has a line of more than 256 MiB")
            }
        }
    }

    /// Reads a document that can't be read piece by piece: a JSON array, XML or an HTML page.
    private func give(
        _ start: [UInt8],
        list: ListFile,
        reader: FeedReader
    ) throws(FeedError) -> Bool {
        var file = list.file
        let feed = try reader.feed(
            parsing: start + file.rest(),
            title: list.name,
            base: list.base,
            origin: .local
        )
        if let remark = feed.remark { tell(.remark(remark)) }
        return give(ListPiece(feed))
    }
}

/// A file or pipe that may contain a list and is read piece by piece.
struct ListFile {
    let file: FileBytes
    let name: String
    let base: FeedBase
    /// The bytes that were read to detect the type of the file.
    let start: [UInt8]
    private let isOwn: Bool

    /// Opens a source, or returns nil if it is not a list.
    ///
    /// Directories, images, archives and remote resources are not lists. Also returns nil if a file
    /// can't be opened; `FeedReader` reports the reason.
    init?(_ source: FeedSource, descriptor: Int32 = STDIN_FILENO) throws(FeedError) {
        name = source.name
        switch source {
        case .standardInput:
            file = FileBytes(descriptor: descriptor, name: name)
            (base, start, isOwn) = (.directory(AbsolutePath.currentDirectory), [], false)
        case .path(let path):
            let descriptor = open(FileText.path(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return nil }
            var opened = FileBytes(descriptor: descriptor, name: name)
            guard let start = try Self.start(of: &opened, path: path) else {
                Glibc.close(descriptor)
                return nil
            }
            file = opened
            base = .directory(AbsolutePath.directory(of: AbsolutePath.of(path)))
            (self.start, isOwn) = (start, true)
        case .remote, .subscription, .currentFolder: return nil
        }
    }

    private static func start(
        of file: inout FileBytes,
        path: String
    ) throws(FeedError) -> [UInt8]? {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let start = try file.next(
            max(DecoderRegistry.prefixByteCount, ArchiveFormat.prefixByteCount)
        )
        let archive = LocalArchive(descriptor: file.descriptor, name: path)
        let byteCount = Int(status.st_size)
        guard DecoderRegistry.pictureFormat(of: start) == nil,
            try ArchiveFormat.detected(from: start, in: archive, byteCount: byteCount) == nil,
            !start.isEmpty || DecoderRegistry.standard.format(ofFileNamed: path) == nil
        else { return nil }
        return start
    }

    func close() {
        if isOwn { Glibc.close(file.descriptor) }
    }
}
