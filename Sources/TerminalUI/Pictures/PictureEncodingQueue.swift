import Decoders
import Glibc
import SystemSupport

/// Encodes images for the terminal on its own threads, and keeps the most recent results.
///
/// Call the methods on the UI thread only. Only images in the newest frame are encoded; images that
/// the user has scrolled past are not.
final class PictureEncodingQueue: Sendable {
    /// An image and all parameters of its encoding.
    private struct Key: Hashable, Sendable {
        let fingerprint: UInt64
        let graphics: GraphicsProtocol
        let budget: GraphicsBudget
    }

    private struct State: Sendable {
        var wanted: [(key: Key, image: PixelImage)] = []
        var running: Set<Key> = []
        var threadCount = 0
        var ready: [Key: ReadyPicture] = [:]
        /// Images in shared memory that the terminal was told to read but may not have read yet.
        var sent: [SharedPicture] = []
        var order: [Key] = []
        var byteCount = 0
        /// Whether the results of running encodings must be discarded.
        var isClosed = false
    }

    /// The maximum total size of the encoded images in bytes, which is enough for several screens
    /// of thumbnails.
    private static let byteLimit = 32 << 20

    /// The maximum number of threads.
    ///
    /// These threads can encode a screen of thumbnails while the user still sees them as
    /// characters. The threads run at nice 10, so decoding has priority.
    private static let threadCount = max(2, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    private let state = Protected(State())
    private let onReady: @Sendable () -> Void

    /// Creates a queue that calls `onReady` on one of its threads whenever an image is ready.
    init(onReady: @escaping @Sendable () -> Void) {
        self.onReady = onReady
    }

    /// Returns the encoded image, or nil if it has not been encoded yet.
    package func picture(
        _ image: PixelImage,
        graphics: GraphicsProtocol,
        budget: GraphicsBudget
    ) -> ReadyPicture? {
        let key = Key(fingerprint: image.fingerprint, graphics: graphics, budget: budget)
        return state.withLock { $0.ready[key] }
    }

    /// Whether the terminal reads images from shared memory, as confirmed by a test image.
    let usesSharedMemory = Protected(false)

    /// The maximum number of pixels of an encoded image; the terminal enlarges reduced images.
    let pixelLimit = Protected(Int.max)

    /// Removes sent images from the queue if they are in shared memory.
    ///
    /// The terminal can read each image only once. The memory is kept until `wereRead()` is called.
    func wereSent(_ fingerprints: [UInt64]) {
        guard !fingerprints.isEmpty else { return }
        state.withLock { state in
            for (key, picture) in state.ready where fingerprints.contains(key.fingerprint) {
                guard case .shared(let shared) = picture else { continue }
                state.sent.append(shared)
                state.ready[key] = nil
                state.order.removeAll { $0 == key }
                state.byteCount -= picture.byteCount
            }
        }
    }

    /// Releases the images that the terminal has read from shared memory.
    func wereRead() {
        let read = state.withLock { state in
            defer { state.sent = [] }
            return state.sent
        }
        withExtendedLifetime(read) {}
    }

    /// Cancels encodings that have not started, and removes all images.
    ///
    /// Images in shared memory would otherwise outlive the process.
    package func removeAll() {
        let removed = state.withLock { state in
            defer {
                let (running, threadCount) = (state.running, state.threadCount)
                state = State()
                (state.running, state.threadCount, state.isClosed) = (running, threadCount, true)
            }
            return state
        }
        withExtendedLifetime(removed) {}
    }

    /// Replaces the waiting images with `images`, which are encoded in order.
    func want(
        _ images: [(image: PixelImage, budget: GraphicsBudget)],
        _ graphics: GraphicsProtocol
    ) {
        let starts = state.withLock { state in
            state.isClosed = false
            state.wanted = images.map { image, budget in
                (Key(fingerprint: image.fingerprint, graphics: graphics, budget: budget), image)
            }
            state.wanted.removeAll { state.running.contains($0.key) }
            state.wanted.reverse()
            let starts = max(0, min(state.wanted.count, Self.threadCount - state.threadCount))
            state.threadCount += starts
            return starts
        }
        for _ in 0..<starts {
            let isStarted = POSIXThread.startDetached(name: "pixels", niceness: 10) {
                [weak self] in self?.encodeWanted()
            }
            if !isStarted { state.withLock { $0.threadCount -= 1 } }
        }
    }

    /// Encodes until no images are waiting.
    private func encodeWanted() {
        while let (key, image) = next() {
            keep(encoded(image.pixels(), key), for: key)
            onReady()
        }
    }

    private func next() -> (Key, PixelImage)? {
        state.withLock { state in
            while let (key, image) = state.wanted.popLast() {
                guard state.ready[key] == nil, state.running.insert(key).inserted else { continue }
                return (key, image)
            }
            state.threadCount -= 1
            return nil
        }
    }

    private func encoded(_ pixels: PixelBuffer, _ key: Key) -> ReadyPicture {
        if usesSharedMemory.withLock({ $0 }), key.graphics.keepsPictures,
            let shared = SharedPicture(pixels)
        {
            return .shared(shared)
        }
        let size = pixels.size.reduced(toPixelCount: pixelLimit.withLock { $0 })
        let sent = size == pixels.size ? pixels : pixels.resampled(to: size)
        return .encoded(PictureEncoder.encode(sent, for: key.graphics, budget: key.budget))
    }

    private func keep(_ picture: ReadyPicture, for key: Key) {
        state.withLock { state in
            state.running.remove(key)
            guard !state.isClosed else { return }
            state.ready[key] = picture
            state.order.append(key)
            state.byteCount += picture.byteCount
            // The newest image is kept regardless of its size.
            var removed = 0
            while state.byteCount > Self.byteLimit, removed < state.order.count - 1 {
                let oldest = state.order[removed]
                state.byteCount -= state.ready.removeValue(forKey: oldest)?.byteCount ?? 0
                removed += 1
            }
            state.order.removeFirst(removed)
        }
    }
}
