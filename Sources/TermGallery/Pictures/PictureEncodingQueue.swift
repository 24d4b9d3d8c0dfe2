import Decoders
import GalleryCore
import Glibc
import ImageLoading
import TerminalGraphics

/// Encodes pictures for the terminal on threads of its own, and keeps the latest.
///
/// The methods are for the UI thread. Only what the newest frame wants is encoded: what one has
/// scrolled past is not.
final class PictureEncodingQueue: Sendable {
    /// A picture and all that its encoding depends on.
    private struct Key: Hashable, Sendable {
        let fingerprint: UInt64
        let graphics: GraphicsProtocol
        let budget: GraphicsBudget
    }

    private struct State: Sendable {
        var wanted: [(key: Key, image: PixelImage)] = []
        var running: Set<Key> = []
        var ready: [Key: ReadyPicture] = [:]
        /// Pictures in shared memory that the terminal was told of, and may not have read.
        var sent: [SharedPicture] = []
        var order: [Key] = []
        var byteCount = 0
        /// Whether what is encoded now is wanted by nobody any more.
        var isClosed = false
    }

    /// A few screens of encoded thumbnails.
    private static let byteLimit = 32 << 20

    /// As many as encode a screen of thumbnails while one looks at their cells; at nice 10, so that
    /// decoding goes before.
    private static let threadCount = max(2, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    private let pool = WorkerPool(name: "pixels", threadCount: threadCount, niceness: 10)
    private let state = Protected(State())
    private let onReady: @Sendable () -> Void

    /// `onReady` is called on a thread of the queue each time a picture is ready.
    init(onReady: @escaping @Sendable () -> Void) {
        self.onReady = onReady
    }

    /// A picture that is ready.
    func picture(
        _ image: PixelImage,
        _ graphics: GraphicsProtocol,
        _ budget: GraphicsBudget
    ) -> ReadyPicture? {
        let key = Key(fingerprint: image.fingerprint, graphics: graphics, budget: budget)
        return state.withLock { $0.ready[key] }
    }

    /// Whether the terminal reads pictures from shared memory; it has to have proved that.
    let usesSharedMemory = Protected(false)

    /// The terminal was told of these pictures: what it fetches from shared memory is there once.
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

    /// The terminal has read what it was told of.
    func wereRead() {
        let read = state.withLock { state in
            defer { state.sent = [] }
            return state.sent
        }
        withExtendedLifetime(read) {}
    }

    /// Gives up what waits, and every picture: those in shared memory would outlive the process.
    func removeAll() {
        let removed = state.withLock { state in
            defer {
                let running = state.running
                state = State()
                (state.running, state.isClosed) = (running, true)
            }
            return state
        }
        withExtendedLifetime(removed) {}
    }

    /// Encodes these, the first one first, in place of what waited before.
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
            return min(state.wanted.count, Self.threadCount)
        }
        for _ in 0..<starts {
            pool.submit(priority: .high) { [weak self] in self?.encodeWanted() }
        }
    }

    /// Encodes until nothing is wanted any more.
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
            return nil
        }
    }

    private func encoded(_ pixels: PixelBuffer, _ key: Key) -> ReadyPicture {
        if usesSharedMemory.withLock({ $0 }), key.graphics.keepsPictures,
            let shared = SharedPicture(pixels)
        {
            return .shared(shared)
        }
        return .encoded(PictureEncoder.encode(pixels, for: key.graphics, budget: key.budget))
    }

    private func keep(_ picture: ReadyPicture, for key: Key) {
        state.withLock { state in
            state.running.remove(key)
            guard !state.isClosed else { return }
            state.ready[key] = picture
            state.order.append(key)
            state.byteCount += picture.byteCount
            // The newest stays, however large it is.
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
