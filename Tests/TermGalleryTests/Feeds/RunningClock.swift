import Glibc
import ImageLoading
import ImageLoadingTesting
import SystemSupport

/// A clock that a thread advances as fast as possible from `start` to `stop`, for runs that wait.
///
/// The immediate effects of an alarm occur at the time of the alarm.
final class RunningClock: Sendable {
    private let manual = ManualClock()
    private let pool = WorkerPool(name: "clock", threadCount: 1)
    private let isStopped = Protected(false)

    var clock: LoadingClock { manual.clock }
    var now: Duration { manual.uptime }

    func start() {
        let (manual, isStopped) = (manual, isStopped)
        pool.submit(priority: .normal) {
            while !isStopped.withLock({ $0 }) {
                manual.advance(by: .seconds(1))
                sched_yield()
            }
        }
    }

    func stop() {
        isStopped.withLock { $0 = true }
    }
}
