import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

@Suite struct LoadingClockTests {
    @Test func `alarms go off in the order of their times, each at its time`() {
        let manual = ManualClock()
        let heard = Protected<[String]>([])
        for (seconds, name) in [(3, "c"), (1, "a"), (2, "b"), (1, "a too"), (9, "never")] {
            manual.clock.notify(at: .seconds(seconds)) {
                heard.withLock { $0.append("\(name) at \(manual.uptime)") }
            }
        }

        manual.advance(by: .seconds(5))

        #expect(
            heard.withLock { $0 } == [
                "a at 1.0 seconds", "a too at 1.0 seconds", "b at 2.0 seconds", "c at 3.0 seconds",
            ]
        )
        #expect(manual.uptime == .seconds(5))
        #expect(manual.alarmCount == 1)
        // The clock retains its alarms, and this alarm retains the clock.
        manual.advance(by: .seconds(5))
    }

    @Test func `an alarm may set the next one, which fires in the same step`() {
        let manual = ManualClock()
        let count = Protected(0)
        manual.clock.notify(at: .seconds(1)) {
            manual.clock.notify(at: .seconds(2)) { count.withLock { $0 += 1 } }
        }

        manual.advance(by: .seconds(2))

        #expect(count.withLock { $0 } == 1)
        #expect(manual.wallTime == 1_000_000_002)
    }

    @Test func `the system's clock calls back at the time, not earlier`() async {
        let clock = LoadingClock.system
        let start = clock.uptime()

        let late = await withCheckedContinuation { continuation in
            clock.notify(at: start + .milliseconds(20)) {
                continuation.resume(returning: clock.uptime())
            }
        }

        #expect(late >= start + .milliseconds(20))
    }

    /// A timer that is never released, like the program's own: an action that is due in a year
    /// stays until the tests end.
    private static let timer = TimerThread(uptime: LoadingClock.system.uptime)

    @Test func `an alarm does not wait for one that is due in a year`() async {
        let timer = Self.timer
        let now = LoadingClock.system.uptime()
        timer.call(at: now + .seconds(31_536_000)) { Issue.record("a year early") }

        await withCheckedContinuation { continuation in
            timer.call(at: now) { continuation.resume() }
        }
    }

    @Test func `a clock without alarms lets the remaining time pass as real time`() async {
        let clock = LoadingClock(uptime: { .seconds(7) }, wallTime: { 0 })

        await withCheckedContinuation { continuation in
            clock.notify(at: .seconds(7)) { continuation.resume() }
        }
    }
}
