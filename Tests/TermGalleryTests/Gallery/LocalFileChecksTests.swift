import FeedHarness
import Glibc
import ImageLoadingTesting
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import ImageLoading
@testable import TermGallery
@testable import TerminalUI

@Suite(.timeLimit(.minutes(5))) struct LocalFileChecksTests {
    private let folder = TestFolder()
    private let harness = LoadingHarness()
    private let clock = ManualClock(wallTime: 2_000_000_000)
    private let mailbox: Mailbox<GalleryMail>
    private let checks: LocalFileChecks

    init() throws {
        mailbox = try Mailbox()
        checks = LocalFileChecks(
            manager: harness.manager,
            mailbox: mailbox,
            clock: clock.clock,
            submit: { $0() }
        )
    }

    /// Writes a file that was last changed `age` seconds ago; returns its URL.
    private func write(_ name: String, _ bytes: [UInt8], age: Int) -> String {
        let path = folder.add(name, bytes)
        let time = timeval(tv_sec: clock.wallTime - age, tv_usec: 0)
        utimes(path, [time, time])
        return FeedItem(filePath: path).url
    }

    /// The files that a check reports as changed.
    private func messages(of effect: FileEffect) -> [String] {
        checks.perform(effect)
        return mailbox.takeAll().flatMap { mail -> [String] in
            if case .message(.filesChanged(let urls)) = mail { urls } else { [] }
        }
    }

    @Test func `a file of another length or date has changed, an untouched or deleted one has not`()
    {
        let urls = (0..<4).map { write("\($0).png", [1, 2], age: 100) }
        urls.forEach(checks.note)
        #expect(messages(of: .checkAll).isEmpty)

        _ = write("1.png", [1, 2, 3], age: 100)
        _ = write("2.png", [3, 4], age: 90)
        unlink("\(folder.path)/3.png")

        #expect(Set(messages(of: .checkAll)) == [urls[1], urls[2]])
        #expect(messages(of: .checkAll).isEmpty)
    }

    // Two changes within the time resolution of a file system have the same date.
    @Test func `a file that was written just before its load counts as changed once`() {
        let url = write("a.png", [1, 2], age: 1)
        checks.note(url)
        clock.setWallTime(clock.wallTime + 10)

        #expect(messages(of: .checkAll) == [url])
        #expect(messages(of: .checkAll).isEmpty)
    }

    // A file server with another clock, or a program that sets times, makes such files.
    @Test func `a file whose last write is in the future is not loaded again and again`() {
        let url = write("a.png", [1, 2], age: -5000)
        checks.note(url)
        #expect(messages(of: .checkAll).isEmpty)

        _ = messages(of: .checkLater(url: url))
        #expect(clock.alarmCount == 0)
    }

    @Test func `images of a changed file are removed from memory`() async throws {
        let url = write("a.png", LoadingHarness.picture, age: 100)
        let request = ImageRequest(url: url)
        checks.note(url)
        _ = try await harness.manager.response(for: request)
        #expect(harness.manager.isInMemory(request))

        _ = write("a.png", LoadingHarness.picture + [0], age: 90)
        #expect(messages(of: .checkAll) == [url])

        #expect(!harness.manager.isInMemory(request))
    }

    @Test func `an incomplete file is checked again after pauses that grow with its age`() {
        let url = write("a.png", [1, 2], age: 20)
        checks.note(url)
        _ = messages(of: .checkLater(url: url))
        #expect(clock.nextAlarm == clock.uptime + .seconds(20))

        // A second request does not start a second timer.
        _ = messages(of: .checkLater(url: url))
        #expect(clock.alarmCount == 1)
        clock.advance(by: .seconds(20))
        #expect(
            mailbox.takeAll().contains {
                if case .message(.fileCheckDue(url)) = $0 { true } else { false }
            }
        )
        // `advance` also moves the wall time.
        #expect(messages(of: .check(url: url)).isEmpty)
        #expect(clock.nextAlarm == clock.uptime + .seconds(40))

        let old = write("old.png", [1, 2], age: 1000)
        _ = messages(of: .checkLater(url: old))
        #expect(clock.alarmCount == 1)
    }
}
