import Feeds
import ImageLoading

/// A loader that loads a list of images in order, for commands without a screen.
///
/// Only the calling thread starts loads, and it receives their results one at a time. The number of
/// running loads is limited, because a feed may have 100,000 lines and each running load needs a
/// task.
final class LoadWindow {
    /// A finished load, with the index passed to `start`.
    struct Ended: Sendable {
        let index: Int
        let result: Result<ImageResponse, ImageLoadingError>
        let duration: Duration
    }

    private let manager: ImageManager
    private let ends = BlockingQueue<Ended>()
    private(set) var running = 0

    init(manager: ImageManager) {
        self.manager = manager
    }

    func start(_ request: ImageRequest, index: Int) {
        running += 1
        let ends = ends
        let begin = ContinuousClock.now
        manager.load(request) { event in
            guard case .finished(let result) = event else { return }
            ends.put(Ended(index: index, result: result, duration: begin.duration(to: .now)))
        }
    }

    /// Waits for the next finished load, or returns nil if none is running.
    func next() -> Ended? {
        guard running > 0 else { return nil }
        defer { running -= 1 }
        return ends.take()
    }
}
