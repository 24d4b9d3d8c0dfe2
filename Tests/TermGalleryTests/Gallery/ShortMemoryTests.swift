import Decoders
import GalleryCore
import ImageLoading
import ImageLoadingTesting
import Testing

@testable import TermGallery

/// The gallery while memory is short.
@Suite struct ShortMemoryTests {
    // C2
    @Test func `while memory is short the next screen is not prefetched`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(500))))
        let pressure = FakeMemoryPressure()
        let harness = LoadingHarness(pressure: pressure)
        harness.answerEverything()
        pressure.send(.critical)

        let outcome = try await ProgramOutcome.of(harness.manager, mailbox) {
            [
                .see("no0", press: "s"),
                StagedTerminal.Step(
                    isDue: { $0.contains("8+0+0+0") && $0.contains("and nothing prefetched") },
                    action: { $0.type("s") }
                ),
                // Three frames are two ticks, after which it would have begun.
                .see("no0", press: "s"), .see("Statistics", press: "s"), .see("no0", press: "q"),
            ]
        }

        #expect(outcome.ending == .quit)
        #expect(
            Set(harness.transport.starts.map(\.url)) == Set((0..<8).map(LoadingHarness.url))
        )
    }

    // F25
    @Test func `what the cells show is found again after memory was dropped`() async throws {
        let mailbox = try Mailbox<GalleryMail>()
        mailbox.post(.feed(.success(LoadingHarness.feed(8))))
        let pressure = FakeMemoryPressure()
        let harness = LoadingHarness(pressure: pressure)
        harness.answerEverything()
        let manager = harness.manager
        let sources = Protected<[ImageSource]>([])

        let outcome = try await ProgramOutcome.of(harness.manager, mailbox) {
            [
                StagedTerminal.Step(
                    isDue: { $0.contains("live 0") && $0.contains("mem 8/") },
                    action: { _ in mailbox.post(.notice("shown")) }
                ),
                .see("shown") { terminal in
                    pressure.send(.serious)
                    #expect(manager.statistics.memoryCache.entryCount == 0)
                    for number in 0..<8 {
                        var request = ImageRequest(url: LoadingHarness.url(number))
                        request.targetSize = PixelSize(width: 19, height: 20)
                        manager.load(request) { event in
                            guard case .finished(.success(let response)) = event else { return }
                            sources.withLock { $0.append(response.source) }
                        }
                    }
                    terminal.type("q")
                },
            ]
        }

        #expect(outcome.ending == .quit)
        #expect(sources.withLock { $0 } == Array(repeating: .memory, count: 8))
    }
}
