import Decoders
import Glibc
import ImageLoading
import TerminalGraphics

/// Bytes in shared memory, where a terminal on this machine reads them.
///
/// The terminal removes the object once it has read it; what it left, this does when it is freed.
final class SharedMemory: Sendable {
    private static let prefix = "termgallery-"

    /// The object's name, with the slash.
    let name: String

    /// Copies the bytes; nil where there is no room for them.
    init?(_ bytes: [UInt8]) {
        _ = Self.sweepsOnce
        name = "/\(Self.prefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let descriptor = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0o600)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard bytes.withUnsafeBytes({ Self.write($0, to: descriptor) }) else {
            shm_unlink(name)
            return nil
        }
    }

    deinit {
        shm_unlink(name)
    }

    // MARK: - What killed programs left

    private static let sweepsOnce: Void = sweep()
    /// Where Linux shows the objects.
    private static let folder = "/dev/shm"
    /// In seconds: a terminal reads an object long before.
    private static let longestUse = 60

    /// Removes the objects of programs that were killed before the terminal had read them.
    ///
    /// A program in another container may have any number, so its number alone proves nothing: what is
    /// young stays.
    static func sweep() {
        for name in (try? FolderNames.of(folder)) ?? [] {
            guard let process = process(in: name), kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, status.st_uid == geteuid(),
                time(nil) - status.st_mtim.tv_sec > longestUse
            else { continue }
            shm_unlink("/\(name)")
        }
    }

    /// The process that made an object; nil if it is none of this program's.
    private static func process(in name: String) -> pid_t? {
        guard name.hasPrefix(prefix) else { return nil }
        let numbers = name.dropFirst(prefix.count).split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        guard numbers.count == 2, UInt64(numbers[1]) != nil else { return nil }
        return pid_t(numbers[0]).flatMap { $0 > 0 ? $0 : nil }
    }

    /// By `write`, which says so when memory is short; a page touched in a mapping would end the
    /// process.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = Glibc.write(descriptor, start, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }
}

/// A picture's pixels in shared memory.
struct SharedPicture: Sendable {
    private let memory: SharedMemory
    /// The pixels of it, four bytes each.
    let size: PixelSize

    /// The name of the object that has them, with the slash.
    var name: String { memory.name }

    /// Copies the pixels; nil where there is no room for them.
    init?(_ pixels: PixelBuffer) {
        guard let memory = SharedMemory(pixels.bytes) else { return nil }
        self.memory = memory
        size = pixels.size
    }
}

/// A picture ready to be sent.
enum ReadyPicture: Sendable {
    /// All of it goes over the line.
    case encoded(EncodedPicture)
    /// The terminal fetches it.
    case shared(SharedPicture)

    /// The bytes that go over the line.
    var byteCountOnLine: Int {
        switch self {
        case .encoded(let picture): picture.byteCountOnLine
        case .shared: 200
        }
    }

    /// The bytes that it takes here.
    var byteCount: Int {
        switch self {
        case .encoded(let picture): picture.payload.count
        case .shared(let picture): picture.size.pixelCount * 4
        }
    }
}
