@testable import ImageLoading

/// A clock that stands still until it is told otherwise.
final class TestClock: Sendable {
    private let seconds: Protected<Int>

    init(_ seconds: Int = 1_700_000_000) {
        self.seconds = Protected(seconds)
    }

    var now: Int { seconds.withLock { $0 } }

    func advance(by interval: Int) {
        seconds.withLock { $0 += interval }
    }

    var clock: LoadingClock {
        LoadingClock(uptime: { .seconds(self.now) }, wallTime: { self.now })
    }
}
