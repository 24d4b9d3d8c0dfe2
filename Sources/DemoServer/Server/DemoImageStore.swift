import Decoders
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Makes image files on threads of its own and keeps the last ones, up to a number of bytes.
///
/// One request makes an image, those that come meanwhile wait for the same one.
final class DemoImageStore: Sendable {
    struct Key: Hashable {
        let image: DemoImage
        let format: ImageFormat
        /// Pixels; nil is the image's own width.
        var width: Int?
    }

    private struct Contents {
        var bodies: [Key: EventLoopFuture<[UInt8]>] = [:]
        /// The finished ones, oldest first.
        var finished: [(key: Key, byteCount: Int)] = []
        var byteCount = 0
    }

    private let pool: NIOThreadPool
    private let byteLimit: Int
    private let contents = NIOLockedValueBox(Contents())

    init(pool: NIOThreadPool, byteLimit: Int) {
        self.pool = pool
        self.byteLimit = byteLimit
    }

    /// The bytes of an image's file, on `eventLoop`.
    func body(for key: Key, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]> {
        let promise = eventLoop.makePromise(of: [UInt8].self)
        let known = contents.withLockedValue { contents in
            let known = contents.bodies[key]
            if known == nil { contents.bodies[key] = promise.futureResult }
            return known
        }
        if let known {
            promise.completeWith(known)
            return promise.futureResult
        }
        promise.futureResult.whenComplete { [self] result in finish(key, result) }
        promise.completeWith(
            pool.runIfActive(eventLoop: eventLoop) {
                Self.makeThreadNice()
                return try key.image.encoded(as: key.format, width: key.width)
            }
        )
        return promise.futureResult
    }

    /// Behind the program's own threads: in `termgallery demo` they share the cores.
    ///
    /// On Linux process 0 means the calling thread. Being refused changes nothing that matters.
    private static func makeThreadNice() {
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }

    private func finish(_ key: Key, _ result: Result<[UInt8], any Error>) {
        contents.withLockedValue { contents in
            guard case .success(let bytes) = result else {
                contents.bodies[key] = nil
                return
            }
            contents.finished.append((key, bytes.count))
            contents.byteCount += bytes.count
            while contents.byteCount > byteLimit, let oldest = contents.finished.first {
                contents.finished.removeFirst()
                contents.byteCount -= oldest.byteCount
                contents.bodies[oldest.key] = nil
            }
        }
    }

    /// Bytes and files kept, for tests.
    var kept: (byteCount: Int, files: Int) {
        contents.withLockedValue { ($0.byteCount, $0.bodies.count) }
    }
}
