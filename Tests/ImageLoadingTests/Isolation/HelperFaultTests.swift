import Decoders
import Glibc
import Testing

@testable import CrashingHelper
@testable import ImageLoading
import ImageLoadingTesting

/// A helper that crashes costs only the image it was working on.
@Suite struct HelperFaultTests {
    @Test(arguments: [
        (Crash.badAddress, "the decoder crashed (SIGSEGV)"),
        (.stackOverflow, "the decoder crashed (SIGSEGV)"),
        (.abort, "the decoder crashed (SIGABRT)"),
        (.exit, "the decoder crashed (exit status 3)"),
        (.opensFile, forbidden), (.makesSocket, forbidden), (.runsProgram, forbidden),
        (.startsProcess, forbidden), (.makesCode, forbidden), (.killsParent, forbidden),
        (.garbage, unreadable), (.short, unreadable), (.long, unreadable), (.lie, unreadable),
        (.silence, "the decoder crashed (SIGKILL)"),
    ])
    func `one image fails, with its reason, and the next is decoded`(
        _ crash: Crash,
        _ reason: String
    ) throws {
        let registry = IsolationBench.registry(.always)

        #expect(error(of: registry, CrashingDecoder.file(crash))?.description == reason)

        let good = try registry.decode(CrashingDecoder.file(.good), options: DecodingOptions())
        #expect(good.pixels.size == PixelSize(width: 3, height: 2))
    }

    private static let forbidden =
        "the decoder crashed (SIGSYS: forbidden system call)"
    private static let unreadable = "the decoder crashed (invalid response)"

    @Test func `a trap is a crash`() throws {
        let registry = IsolationBench.registry(.always)

        let error = error(of: registry, CrashingDecoder.file(.trap))

        guard case .decoderCrashed(let how) = error else { throw Unexpected(error: error) }
        #expect(["SIGILL", "SIGTRAP"].contains(how))
    }

    @Test func `exceeding the memory limit is reported as such`() {
        let registry = IsolationBench.registry(.always) {
            $0.limits = DecodingLimits(maximumByteCount: 64 << 20)
            $0.downloader.maximumByteCount = 1 << 20
        }
        let options = DecodingOptions(limits: DecodingLimits(maximumByteCount: 64 << 20))

        let report = IsolationReport(IsolationBench.configuration(.always))
        #expect((report.memoryByteCount != nil) == IsolationReport.limitsMemory)
        guard IsolationReport.limitsMemory else { return }

        let error = error(of: registry, CrashingDecoder.file(.memory), options)

        #expect(error == .tooMuchMemory(byteCount: 64 << 20, limit: 64 << 20))
    }

    @Test(arguments: [Crash.processorTime, .wallTime])
    func `a decode that works or waits for too long is ended`(_ crash: Crash) throws {
        var options = DecodingOptions()
        options.limits.maximumDuration = .milliseconds(100)

        let error = error(
            of: IsolationBench.registry(.always),
            CrashingDecoder.file(crash),
            options
        )

        guard case .tooMuchTime(let spent, let limit) = error else {
            throw Unexpected(error: error)
        }
        #expect(spent > limit && limit >= .milliseconds(100))
    }

    @Test func `a helper killed from outside costs its image`() throws {
        let (registry, helpers) = IsolationBench.wall()
        _ = try registry.decode(CrashingDecoder.file(.good), options: DecodingOptions())
        let process = try #require(helpers.idleProcesses.first)
        // Called while the helper works.
        let options = DecodingOptions {
            kill(process, SIGKILL)
            return false
        }

        let error = error(of: registry, CrashingDecoder.file(.slow), options)

        #expect(error == .decoderCrashed("SIGKILL"))
        // The process has ended and is not a zombie.
        #expect(kill(process, 0) != 0 && errno == ESRCH)
    }

    @Test func `a body that crashed a helper twice is not tried again`() {
        let registry = IsolationBench.registry(.always)
        let body = CrashingDecoder.file(.badAddress)
        _ = error(of: registry, body)
        _ = error(of: registry, body)

        let third = error(of: registry, body)

        #expect(third == .decoderCrashed("SIGSEGV twice; not retried"))
        // Another body of the same length is tried.
        let other = Array("CRASH abort     ".utf8)
        #expect(error(of: registry, other) == .decoderCrashed("SIGABRT"))
    }

    @Test func `an abandoned decode ends, and its helper continues`() throws {
        let (registry, helpers) = IsolationBench.wall()
        let good = CrashingDecoder.file(.good)
        _ = try registry.decode(good, options: DecodingOptions())
        let before = helpers.idleProcesses

        let error = error(of: registry, CrashingDecoder.file(.slow), DecodingOptions { true })

        #expect(error == .cancelled)
        #expect(before.count == 1 && helpers.idleProcesses == before)
    }

    @Test func `an idle helper ends after a while`() throws {
        let clock = ManualClock()
        let (registry, helpers) = IsolationBench.wall(clock: clock.clock)
        _ = try registry.decode(CrashingDecoder.file(.good), options: DecodingOptions())
        let process = try #require(helpers.idleProcesses.first)

        clock.advance(by: DecoderHelpers.idleTime)

        #expect(helpers.idleProcesses.isEmpty)
        // Another thread waits for the end of the process.
        let end = ContinuousClock.now + .seconds(60)
        while kill(process, 0) == 0, ContinuousClock.now < end { sched_yield() }
        #expect(kill(process, 0) != 0 && errno == ESRCH)
        _ = try registry.decode(CrashingDecoder.file(.good), options: DecodingOptions())
    }

    @Test(arguments: ["/bin/false", "/bin/sleep", "/nowhere", "/etc/passwd"])
    func `a program that is not a helper is detected`(_ path: String) throws {
        let program = HelperProgram(path: path, patience: .milliseconds(100))
        let always = IsolationBench.registry(.always) { $0.helperProgram = program }
        let auto = IsolationBench.registry(.auto) { $0.helperProgram = program }

        guard case .isolationUnavailable = error(of: always, CrashingDecoder.file(.good)) else {
            throw Unexpected(error: error(of: always, CrashingDecoder.file(.good)))
        }
        #expect(error(of: auto, CrashingDecoder.file(.good)) == nil)
    }

    @Test func `at the end of a program the helpers are gone, and can be started again`() throws {
        let (registry, helpers) = IsolationBench.wall()
        _ = try registry.decode(CrashingDecoder.file(.good), options: DecodingOptions())
        let process = try #require(helpers.idleProcesses.first)

        helpers.endAll()

        // The process has ended and was waited for, so that its ID is free.
        #expect(kill(process, 0) == -1 && errno == ESRCH)
        #expect(helpers.idleProcesses.isEmpty)
        _ = try registry.decode(CrashingDecoder.file(.good), options: DecodingOptions())
    }

    @Test func `a helper that does not stop when cancelled is replaced`() throws {
        let registry = IsolationBench.registry(.always)

        let error = error(of: registry, CrashingDecoder.file(.wallTime), DecodingOptions { true })

        #expect(error == .cancelled)
        _ = try registry.decode(CrashingDecoder.file(.good), options: DecodingOptions())
    }

    private func error(
        of registry: DecoderRegistry,
        _ bytes: [UInt8],
        _ options: DecodingOptions = DecodingOptions()
    ) -> ImageDecodingError? {
        do throws(ImageDecodingError) {
            _ = try registry.decode(bytes, options: options)
            return nil
        } catch {
            return error
        }
    }

    private struct Unexpected: Error { let error: ImageDecodingError? }
}

extension IsolationBench {
    /// Returns isolated decoders and their helpers.
    static func wall(clock: LoadingClock = .system) -> (DecoderRegistry, DecoderHelpers) {
        let helpers = DecoderHelpers(configuration(.always), clock: clock)
        let decoder = IsolatedDecoder(decoder: CrashingDecoder(), helpers: helpers)
        return (DecoderRegistry(decoders: [decoder]), helpers)
    }
}
