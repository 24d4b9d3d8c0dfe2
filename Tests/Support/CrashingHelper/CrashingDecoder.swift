import Decoders
import Glibc

extension ImageFormat {
    nonisolated static let crash = ImageFormat(
        rawValue: "crash",
        displayName: "crash",
        fileSuffixes: [],
        mediaTypes: []
    )
}

/// Does to its process what a file says: what a hole in a decoder would let a stranger do.
struct CrashingDecoder: ImageDecoder {
    /// The first bytes of its files.
    var magic = "CRASH "

    var format: ImageFormat { .crash }

    static func file(_ crash: Crash) -> [UInt8] { Array("CRASH \(crash)".utf8) }

    func canDecode(_ prefix: [UInt8]) -> Bool { prefix.starts(with: magic.utf8) }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        try decode(bytes, options: DecodingOptions()).properties
    }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let name = String(decoding: bytes.dropFirst(magic.utf8.count), as: UTF8.self)
        let crash = name.split(separator: " ").first.flatMap { Crash(rawValue: String($0)) }
        guard let crash else { throw .corrupt(.crash, "no such crash: \(name)") }
        crash.happen(options)
        if crash == .slow {
            while !options.isCancelled() { Crash.rest() }
            throw .cancelled
        }
        return Self.image(orientation: crash == .lie ? 99 : 1, isAnimated: crash == .animation)
    }

    private static func image(orientation: Int, isAnimated: Bool) -> DecodedImage {
        let size = PixelSize(width: 3, height: 2)
        let frames = (1...3).map { number in
            ImageAnimation.Frame(
                pixels: PixelBuffer(
                    size: size,
                    bytes: (0..<24).map { UInt8($0 * number) },
                    hasAlpha: true
                ),
                duration: .milliseconds(number * 50)
            )
        }
        return DecodedImage(
            pixels: frames[0].pixels,
            properties: ImageProperties(
                format: .crash,
                size: size,
                orientation: orientation,
                hasAlpha: true,
                isProgressive: false,
                frameCount: isAnimated ? 3 : 1
            ),
            animation: isAnimated ? ImageAnimation(frames: frames, loopCount: 7) : nil
        )
    }
}

/// The possible ends of a helper.
enum Crash: String, CaseIterable, Sendable {
    case good, animation
    case badAddress, abort, trap, exit, stackOverflow
    case opensFile, makesSocket, runsProgram, startsProcess, makesCode, killsParent
    case memory, processorTime, wallTime
    case garbage, short, long, silence, lie
    /// Stops as soon as it is cancelled.
    case slow

    // Exhaustive: what a stranger may do is a list, not a rule.
    func happen(_ options: DecodingOptions) {
        switch self {
        case .good, .animation, .lie, .slow: break
        case .badAddress: UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
        case .abort: Glibc.abort()
        case .trap: preconditionFailure("on purpose")
        // Not `exit`: a sanitizer's search for leaks there makes calls that a helper may not.
        case .exit: _exit(3)
        case .stackOverflow: _ = Self.descend(from: 1)
        case .opensFile: Self.end(open("/etc/passwd", O_RDONLY | O_CLOEXEC))
        case .makesSocket: Self.end(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        case .runsProgram: Self.end(execv("/bin/true", [nil]))
        case .startsProcess: Self.end(Self.startProcess())
        case .makesCode:
            let page = mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            Self.end(page == MAP_FAILED ? -1 : 0)
        case .killsParent: Self.end(kill(getppid(), SIGTERM))
        case .memory:
            var hoard: [[UInt8]] = []
            while hoard.count < 64 { hoard.append([UInt8](repeating: 1, count: 16 << 20)) }
        case .processorTime: while true { _ = options.limits }
        case .wallTime: while true { Self.rest() }
        case .garbage: Self.answer([UInt8](repeating: 0xA5, count: 424))
        case .short: Self.answer([1, 2, 3, 4])
        case .long: Self.answer([UInt8](repeating: 0, count: 60_000))
        case .silence:
            close(3)
            while true { Self.rest() }
        }
    }

    static func rest() {
        var time = timespec(tv_sec: 0, tv_nsec: 1_000_000)
        nanosleep(&time, nil)
    }

    /// The isolation has failed if this is reached; no other code uses the status 42.
    private static func end(_: Int32) { _exit(42) }

    private static func answer(_ bytes: [UInt8]) {
        write(3, bytes, bytes.count)
        while true { rest() }
    }

    private static func startProcess() -> Int32 {
        var process = pid_t()
        return posix_spawn(&process, "/bin/true", nil, nil, [nil], [nil])
    }

    private static func descend(from depth: Int) -> Int {
        depth == 0 ? 0 : descend(from: depth + 1) + depth
    }
}
