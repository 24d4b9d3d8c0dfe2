import Decoders
import Glibc

/// A shared memory object from which a terminal on the same machine reads bytes.
///
/// After reading the object, the terminal removes it. Otherwise, `deinit` removes it.
final class SharedMemory: Sendable {
    private static let prefix = "termgallery-"

    /// The object's name, including the slash.
    package let name: String

    /// Creates an object with a copy of the bytes, or returns nil if they do not fit in shared
    /// memory.
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

    // MARK: - Remains of killed programs

    private static let sweepsOnce: Void = sweep()
    /// The directory in which Linux lists shared memory objects.
    private static let folder = "/dev/shm"
    /// The age in seconds at which an object is considered unused.
    ///
    /// Terminals usually read an object much sooner.
    private static let longestUse = 60

    /// Removes objects that were created by killed programs and never read by a terminal.
    ///
    /// The name of an object contains a process ID. Even if no process has this ID, the program may
    /// still be running in another container, so recent objects are kept.
    package static func sweep() {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("\(folder)/\(prefix)*", GLOB_NOSORT, nil, &found) == 0 else { return }
        for index in 0..<Int(found.gl_pathc) {
            guard let path = found.gl_pathv[index] else { continue }
            let name = String(
                decoding: String(cString: path).utf8.dropFirst(folder.utf8.count + 1),
                as: UTF8.self
            )
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

    /// Returns the process that created an object, or nil if the object was not created by this
    /// program.
    private static func process(in name: String) -> pid_t? {
        guard name.hasPrefix(prefix) else { return nil }
        let numbers = name.dropFirst(prefix.count).split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        guard numbers.count == 2, UInt64(numbers[1]) != nil else { return nil }
        return pid_t(numbers[0]).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Writes the bytes, and returns false if memory runs out.
    ///
    /// The `write` system call reports this error. With a memory mapping, the process would be
    /// killed when it touches a page for which there is no memory.
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

/// The pixels of an image in shared memory.
struct SharedPicture: Sendable {
    private let memory: SharedMemory
    /// The size in pixels; each pixel takes 4 bytes.
    package let size: PixelSize

    /// The name of the shared memory object, including the slash.
    package var name: String { memory.name }

    /// Copies the pixels to shared memory, or returns nil if they do not fit.
    init?(_ pixels: PixelBuffer) {
        guard let memory = SharedMemory(pixels.bytes) else { return nil }
        self.memory = memory
        size = pixels.size
    }
}

/// An image that is ready to be sent to the terminal.
enum ReadyPicture: Sendable {
    /// The image is sent over the connection.
    case encoded(EncodedPicture)
    /// The terminal reads the image from shared memory.
    case shared(SharedPicture)

    /// The number of bytes to send over the connection.
    var byteCountOnLine: Int {
        switch self {
        case .encoded(let picture): picture.byteCountOnLine
        case .shared: 200
        }
    }

    /// The number of bytes that the image occupies in this process or in shared memory.
    package var byteCount: Int {
        switch self {
        case .encoded(let picture): picture.payload.count
        case .shared(let picture): picture.size.pixelCount * 4
        }
    }

    /// Whether this is `image` at half its resolution.
    func isHalf(of image: PixelImage) -> Bool {
        switch self {
        case .encoded(let picture): picture.size.width < image.size.width
        case .shared: false
        }
    }
}
