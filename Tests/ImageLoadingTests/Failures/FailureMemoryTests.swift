import Decoders
import Testing

@testable import ImageLoading

struct FailureMemoryTests {
    private static func error(
        _ kind: ImageLoadingError.Class,
        _ reason: ImageLoadingError.Reason
    ) -> ImageLoadingError {
        ImageLoadingError(stage: .download, kind: kind, reason: reason)
    }

    /// Each failure, and the number of seconds for which it is remembered; nil means not at all.
    private static let lifetimes: [(ImageLoadingError, Int?)] = [
        (.cancelled, nil),
        (error(.offline, .transport(TransferFailure(.noNetwork, text: ""))), nil),
        (error(.policy, .notCached), nil),
        (error(.transient, .transport(TransferFailure(.timedOut, text: ""))), 5),
        (error(.transient, .transport(TransferFailure(.hostNotFound, text: ""))), 10),
        (error(.transient, .transport(TransferFailure(.noConnection, text: ""))), 10),
        (error(.permanent, .transport(TransferFailure(.insecure, text: ""))), 600),
        (error(.permanent, .httpStatus(401)), 300),
        (error(.permanent, .httpStatus(403)), 300),
        (error(.permanent, .httpStatus(404)), 600),
        (error(.transient, .httpStatus(429)), 30),
        (error(.transient, .httpStatus(500)), 15),
        (error(.transient, .httpStatus(503)), 15),
        (error(.permanent, .decoding(.empty)), 86400),
        (error(.transient, .emptyBody), 60),
        (error(.permanent, .tooLarge(limit: 1)), 3600),
        (error(.permanent, .transport(TransferFailure(.tooManyRedirects, text: ""))), 3600),
        (error(.transient, .transport(TransferFailure(.proxyNotFound, text: ""))), 10),
        (error(.transient, .httpStatus(206)), 5),
        (error(.transient, .httpStatus(304)), 5),
        // Depends on the requested size, not on the URL.
        (error(.permanent, .decoding(.tooMuchMemory(byteCount: 2, limit: 1))), nil),
    ]

    // M23, M24, default failures
    @Test(arguments: lifetimes)
    func `F8: each class of failure is remembered for its own time`(
        error: ImageLoadingError,
        seconds: Int?
    ) {
        var memory = FailureMemory()

        memory.remember(error, for: "u", at: .seconds(100))

        guard let seconds else {
            #expect(memory.error(for: "u", at: .seconds(100)) == nil)
            return
        }
        let justBefore = Duration.seconds(100 + seconds) - .milliseconds(1)
        #expect(memory.error(for: "u", at: justBefore) != nil)
        #expect(memory.error(for: "u", at: .seconds(100 + seconds)) == nil)
    }

    @Test func `a remembered failure has its reason and its remaining time`() {
        var memory = FailureMemory()
        memory.remember(Self.error(.permanent, .httpStatus(404)), for: "u", at: .zero)

        let error = memory.error(for: "u", at: .seconds(60))

        #expect(error?.reason == .remembered(text: "404 not found", seconds: 540))
        #expect(error?.kind == .permanent)
        #expect(memory.error(for: "v", at: .seconds(60)) == nil)
    }

    @Test func `M25: forgetting permits a new request of the URL`() {
        var memory = FailureMemory()
        memory.remember(Self.error(.permanent, .httpStatus(404)), for: "u", at: .zero)

        memory.forget("u")

        #expect(memory.error(for: "u", at: .zero) == nil)
    }

    @Test func `open point i: the memory is bounded and drops the oldest`() {
        var memory = FailureMemory(capacity: 100)

        for number in 0..<10_000 {
            memory.remember(
                Self.error(.permanent, .httpStatus(404)),
                for: "\(number)",
                at: .zero
            )
        }

        #expect(memory.count <= 100)
        #expect(memory.error(for: "9999", at: .zero) != nil)
        #expect(memory.error(for: "0", at: .zero) == nil)
    }

    @Test func `a remembered failure is not extended, so it ends`() {
        var memory = FailureMemory()
        let remembered = Self.error(.permanent, .remembered(text: "404", seconds: 1))

        memory.remember(remembered, for: "u", at: .zero)

        #expect(memory.count == 0)
    }
}
