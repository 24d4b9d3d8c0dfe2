import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
import ImageLoadingTesting
import Testing
import VirtualTerminal

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

@Suite struct GalleryProgramTests {
    private let harness = LoadingHarness()

    private func run(
        _ mailbox: Mailbox<GalleryMail>,
        harness: LoadingHarness? = nil,
        steps: @escaping @Sendable () -> [StagedTerminal.Step]
    ) async throws -> ProgramOutcome {
        try await ProgramOutcome.of((harness ?? self.harness).manager, mailbox, steps: steps)
    }

    @Test func `a key reaches the gallery and q ends it`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(3))))
        harness.answerEverything()

        let outcome = try await run(mailbox) {
            [.see("no0", press: "?"), .see("Move", press: "?"), .see("no0", press: "q")]
        }

        #expect(outcome.ending == .quit)
        // The caller restores the terminal, not the program.
        #expect(outcome.calls.isEmpty)
    }

    @Test func `visible cells are loaded, and scrolling on cancels them`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(500))))
        let transport = harness.transport
        async let outcome = run(mailbox) {
            [
                .see("seen", press: "G"),
                .see("no499") { _ in },
                .see("scrolled", press: "q"),
            ]
        }

        await transport.waitForStarts(6)
        let first = transport.starts.map(\.url)
        mailbox.post(.notice("seen"))
        await transport.waitForCancels(6)
        await transport.waitForStarts(12)
        let now = transport.runningURLs
        mailbox.post(.notice("scrolled"))

        #expect(try await outcome.ending == .quit)
        #expect(first.count == 6)
        #expect(Set(first).isSubset(of: transport.record.cancelledURLs))
        #expect(Set(now).isDisjoint(with: first))
        let statistics = harness.manager.statistics
        #expect(
            statistics.started == statistics.succeeded + statistics.failed + statistics.cancelled
        )
    }

    /// Row V-late: what was in the post when its cell moved on is not painted.
    @Test func `a result that arrives after its cell moved on is not painted`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(500))))
        let transport = harness.transport
        async let outcome = run(mailbox) {
            [
                // The transfers fail while the UI thread is busy here, so that their ends are in
                // the mailbox when the key that scrolls is handled first.
                .see("seen") { terminal in
                    for start in transport.starts {
                        transport.respond(to: start.url, status: 404, chunks: [])
                    }
                    terminal.type("G")
                },
                .see("no499") { terminal in
                    #expect(!terminal.text.contains("404"))
                    terminal.type("q")
                },
            ]
        }

        await transport.waitForStarts(6)
        mailbox.post(.notice("seen"))

        #expect(try await outcome.ending == .quit)
        #expect(try await !outcome.screen.contains("404"))
    }

    @Test func `an image leaves the grid when a later file of its archive replaces it`()
        async throws
    {
        let mailbox = try Mailbox<GalleryMail>()
        var growing = LoadingHarness.feed(3)
        growing.isBeingRead = true
        mailbox.post(.feed(.success(growing)))
        var complete = LoadingHarness.feed(3)
        complete.replacedURLs = [LoadingHarness.url(1)]
        complete.remark = "left out 1 replaced by a later file"
        let last = complete
        harness.answerEverything()

        let outcome = try await run(mailbox) {
            [
                .see("no1") { _ in mailbox.post(.feedChanged(last)) },
                StagedTerminal.Step(
                    isDue: { !$0.contains("no1") && $0.contains("left out 1 replaced") },
                    action: { $0.type("q") }
                ),
            ]
        }

        #expect(outcome.ending == .quit)
        #expect(outcome.screen.contains("no0") && outcome.screen.contains("no2"))
    }

    @Test func `a feed that can't be read ends with 66 and its reason`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        let error = FeedError(name: "feed.txt", fault: "is gone")
        mailbox.post(.feed(.failure(error)))

        let outcome = try await run(mailbox) { [] }

        #expect(outcome.ending == .failure(ProgramFailure(.feedUnreadable, error.description)))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func `a signal ends the program as that signal`(number: Int32) async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(3))))

        let outcome = try await run(mailbox) {
            [.see("no0") { _ in pthread_kill(pthread_self(), number) }]
        }

        #expect(outcome.ending == .signal(number))
    }

    @Test func `a terminal that hangs up ends the program as SIGHUP does`() async throws {
        let mailbox = try Mailbox<GalleryMail>()

        let outcome = try await run(mailbox) { [.see("") { $0.memory.hangUp() }] }

        #expect(outcome.ending == .signal(SIGHUP))
    }

    @Test func `a stop and a start are passed to the terminal`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(3))))

        let outcome = try await run(mailbox) {
            [
                .see("no0") { _ in pthread_kill(pthread_self(), SIGTSTP) },
                .see("no0") { _ in pthread_kill(pthread_self(), SIGCONT) },
                .see("no0", press: "q"),
            ]
        }

        #expect(outcome.calls == ["suspend", "resume"])
    }

    // Once the screen is there and rests, the next one is loaded.
    @Test func `at rest the next screen is prefetched and counted`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(500))))
        harness.answerEverything()

        let outcome = try await run(mailbox) {
            [
                .see("16 in memory", press: "s"),
                StagedTerminal.Step(
                    isDue: { $0.contains(#/prefetched +([89]|1[0-9])/#) },
                    action: { $0.type("q") }
                ),
            ]
        }

        #expect(outcome.ending == .quit)
        let numbers = harness.transport.starts.map(\.url)
        #expect(Set(numbers) == Set((0..<16).map(LoadingHarness.url)))
    }

    // D22
    @Test func `z pauses transfers, and z again resumes them`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        harness.answerEverything()
        let (transport, manager) = (harness.transport, harness.manager)

        let outcome = try await run(mailbox) {
            [
                .see("reading", press: "z"),
                .see("loading paused") { _ in
                    mailbox.post(.feed(.success(LoadingHarness.feed(8))))
                },
                StagedTerminal.Step(
                    isDue: { screen in
                        screen.contains("1/8  paused") && screen.count { $0 == "‖" } == 8
                    },
                    action: { terminal in
                        #expect(transport.starts.isEmpty)
                        terminal.type("z")
                    }
                ),
                StagedTerminal.Step(
                    isDue: { _ in manager.statistics.memoryCache.entryCount == 8 },
                    action: { $0.type("q") }
                ),
            ]
        }

        #expect(outcome.ending == .quit)
        #expect(transport.starts.count == 8)
    }

    // M23
    @Test func `a failed cell shows when it is retried`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(1))))
        harness.transport.answerStarts { _ in .body([], status: 404) }

        let outcome = try await run(mailbox) {
            [.see("retry in 10 min", press: "q")]
        }

        #expect(outcome.ending == .quit)
    }

    @Test func `clearing the memory cache reports the freed bytes`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(1))))
        harness.answerEverything()

        let manager = harness.manager
        let outcome = try await run(mailbox) {
            [
                StagedTerminal.Step(
                    isDue: { _ in manager.statistics.memoryCache.entryCount == 1 },
                    action: { $0.type("c") }
                ),
                .see("memory cache: 1 image,", press: "q"),
            ]
        }

        #expect(outcome.ending == .quit)
        #expect(manager.statistics.memoryCache.entryCount == 0)
    }

    @Test func `a disk that stores nothing is reported once, then counted`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(2))))
        let disk = DiskCacheConfiguration(directory: "/proc/termgallery")
        let harness = LoadingHarness(disk: disk)
        harness.answerEverything()

        let outcome = try await run(mailbox, harness: harness) {
            [
                .see("not stored in the disk cache", press: "s"),
                .see("not kept on disk", press: "z"),
                StagedTerminal.Step(
                    isDue: { !$0.contains("not stored in the disk cache") },
                    action: { $0.type("q") }
                ),
            ]
        }

        #expect(outcome.ending == .quit)
        #expect(harness.manager.statistics.diskWriteFailures >= 1)
    }
}
