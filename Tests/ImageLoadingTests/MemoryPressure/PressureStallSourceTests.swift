import Foundation
import SystemSupport
import Testing

@testable import ImageLoading

/// The thread that waits for the kernel, tested with sockets: out-of-band data causes POLLPRI, so
/// that a test can act as the kernel.
@Suite struct PressureStallSourceTests {
    /// A trigger, and the other end of its socket, which fires it.
    private final class FiringPair: Sendable {
        let trigger: Int32
        let otherEnd: Int32

        init() {
            var ends: [Int32] = [-1, -1]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            (trigger, otherEnd) = (ends[0], ends[1])
        }

        deinit {
            close(otherEnd)
        }

        func fire() {
            send(otherEnd, "!", 1, Int32(MSG_OOB))
        }

        /// Resets the trigger, as the kernel does after `poll` has reported it.
        func settle() {
            var byte: UInt8 = 0
            recv(trigger, &byte, 1, Int32(MSG_OOB | MSG_DONTWAIT))
        }
    }

    private func heard(
        _ source: PressureStallSource
    ) -> (AsyncStream<MemoryPressure>, MemoryPressureWatch) {
        let (stream, continuation) = AsyncStream<MemoryPressure>.makeStream()
        return (stream, source.watch { continuation.yield($0) })
    }

    @Test func `each firing of the trigger is reported once, on a thread of the source`() async {
        let pair = FiringPair()
        let files = PressureFiles(
            armTriggers: { [.init(name: "test", descriptor: pair.trigger)] },
            read: {
                pair.settle()
                return MemoryPressureReading(allStalledPercent: 15)
            }
        )
        let name = Protected("")
        let (stream, continuation) = AsyncStream<MemoryPressure>.makeStream()
        let watch = PressureStallSource(files: files).watch { pressure in
            let comm = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            name.withLock { $0 = comm ?? "" }
            continuation.yield(pressure)
        }
        var iterator = stream.makeAsyncIterator()

        pair.fire()
        let first = await iterator.next()
        pair.fire()
        let second = await iterator.next()

        #expect(watch.method == .kernelTriggers(["test"]))
        #expect([first, second] == [.serious, .serious])
        #expect(name.withLock { $0 } == "pressure\n")
    }

    @Test func `if the kernel sends no events its averages are read`() async {
        let files = PressureFiles(
            armTriggers: { [] },
            read: { MemoryPressureReading(someStalledPercent: 8, allStalledPercent: 50) }
        )
        let (stream, watch) = heard(
            PressureStallSource(files: files, readingInterval: .milliseconds(1))
        )

        let first = await stream.first { _ in true }

        #expect(watch.method == .readingAverages)
        #expect(first == .critical)
    }

    @Test func `without the kernel's figures the watch reports their absence`() {
        let files = PressureFiles(armTriggers: { [] }, read: { nil })

        let watch = PressureStallSource(files: files).watch { _ in }

        #expect(
            watch.method == .unavailable("no pressure stall information on this system")
        )
    }

    @Test func `a released watch closes the files it opened`() async {
        let pair = FiringPair()
        let files = PressureFiles(
            armTriggers: { [.init(name: "test", descriptor: pair.trigger)] },
            read: { nil }
        )
        var watch: MemoryPressureWatch? = PressureStallSource(files: files).watch { _ in }
        #expect(watch != nil)

        watch = nil

        // The thread ends soon after it is told to and closes its end, which the other end detects.
        var byte: UInt8 = 0
        let other = pair.otherEnd
        await waitWhile(recv(other, &byte, 1, Int32(MSG_DONTWAIT)) != 0)
    }

    @Test func `this machine's files can be watched, or the watch reports why not`() {
        let watch = PressureStallSource().watch { _ in }

        switch watch.method {
        case .kernelTriggers(let names): #expect(names.contains("/proc/pressure/memory"))
        case .readingAverages: #expect(PressureFiles.system.read() != nil)
        case .unavailable(let reason): #expect(!reason.isEmpty)
        case .byHand: Issue.record("it is not a manual source")
        }
    }
}
