import Decoders
import Glibc
import TerminalGraphics

/// Bytes in shared memory, where a terminal on this machine reads them.
///
/// The terminal removes the object once it has read it; what it left, this does when it is freed.
final class SharedMemory: Sendable {
    /// The object's name, with the slash.
    let name: String

    /// Copies the bytes; nil where there is no room for them.
    init?(_ bytes: [UInt8]) {
        name = "/termgallery-\(getpid())-\(UInt64.random(in: 0 ... .max))"
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
