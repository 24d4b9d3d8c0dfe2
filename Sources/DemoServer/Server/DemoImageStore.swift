import Decoders
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A cache of image files that are created on the threads of a pool.
///
/// The most recently created files are kept, up to a total size in bytes. The first request for a
/// file creates it. Other requests for the same file wait until it has been created.
final class DemoImageStore: Sendable {
    struct Key: Hashable {
        let image: DemoImage
        let format: ImageFormat
        /// The width in pixels, or nil for the image's own width.
        var width: Int?
    }

    private struct Contents {
        var bodies: [Key: EventLoopFuture<[UInt8]>] = [:]
        /// The finished files, oldest first.
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

    /// Returns the bytes of an image file; the future completes on `eventLoop`.
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

    /// Lowers the priority of the calling thread.
    ///
    /// In `termgallery demo`, the server and the gallery share the cores, and the threads of the
    /// gallery should run first. On Linux, process 0 means the calling thread. A failure is
    /// harmless and ignored.
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

    /// The total size of the finished files in bytes and the number of all files, for tests.
    ///
    /// The number includes the files that are being created.
    var kept: (byteCount: Int, files: Int) {
        contents.withLockedValue { ($0.byteCount, $0.bodies.count) }
    }
}
