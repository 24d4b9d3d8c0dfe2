import Feeds
import ImageLoading

/// Loads a list of images in order, for commands without a screen.
///
/// Loads are started only by the calling thread, which receives their results one at a time. The
/// number of running loads is limited because a feed may have 100,000 lines and each running load
/// needs a task.
final class LoadWindow {
    /// A finished load and the index that was passed to `start`.
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

    /// Waits for the next load to finish, or returns nil if no load is running.
    func next() -> Ended? {
        guard running > 0 else { return nil }
        defer { running -= 1 }
        return ends.take()
    }
}
