import Testing

@testable import ImageLoading

/// The URLs affected by a remembered failure, and how long the failure is remembered if it recurs.
struct FailureScopeTests {
    private func url(_ text: String) throws -> ImageURL {
        try ImageURL(parsing: text, origin: .local)
    }

    private func transfer(_ kind: TransferFailure.Kind) -> ImageLoadingError {
        .transfer(kind, "no")
    }

    private func status(_ status: Int, retryAfter: Duration? = nil) -> ImageLoadingError {
        ImageLoadingError(
            stage: .download,
            kind: FailureRule(.httpStatus(status)).kind,
            reason: .httpStatus(status),
            retryAfter: retryAfter
        )
    }

    // M23, M24, F8
    @Test(arguments: [TransferFailure.Kind.proxyNotFound, .hostNotFound, .noConnection])
    func `a host that can't be reached is not asked for another image`(
        kind: TransferFailure.Kind
    ) throws {
        var memory = FailureMemory()

        memory.remember(transfer(kind), for: try url("http://a.example:81/1"), at: .zero)

        #expect(memory.error(for: try url("http://a.example:81/2"), at: .seconds(9)) != nil)
        #expect(memory.error(for: try url("http://a.example:81/2"), at: .seconds(10)) == nil)
        #expect(memory.error(for: try url("http://a.example/1"), at: .zero) == nil)
        #expect(memory.error(for: try url("http://b.example:81/1"), at: .zero) == nil)
    }

    // F8
    @Test func `429 concerns the host, 404 the URL`() throws {
        var memory = FailureMemory()

        memory.remember(status(429), for: try url("http://a.example/1"), at: .zero)
        memory.remember(status(404), for: try url("http://b.example/1"), at: .zero)

        #expect(memory.error(for: try url("http://a.example/2"), at: .seconds(29)) != nil)
        #expect(memory.error(for: try url("http://b.example/2"), at: .zero) == nil)
    }

    // F8
    @Test func `410 is remembered for the session`() throws {
        var memory = FailureMemory()
        let gone = try url("http://a.example/1")

        memory.remember(status(410), for: gone, at: .zero)

        let error = memory.error(for: gone, at: .seconds(365 * 86_400))
        #expect(error?.reason == .remembered(text: "410 gone", seconds: .max))
        #expect(error?.description == "410 gone (not requested again)")
    }

    // F8: 15 s doubling up to 5 min, 30 s up to 10 min
    @Test(arguments: [
        (500, [15, 30, 60, 120, 240, 300, 300]), (429, [30, 60, 120, 240, 480, 600, 600]),
        (404, [600, 600]),
    ])
    func `each repeated failure is remembered longer, up to a limit`(
        code: Int,
        seconds: [Int]
    ) throws {
        var memory = FailureMemory()
        let url = try url("http://a.example/1")
        var now = Duration.zero

        for pause in seconds {
            memory.remember(status(code), for: url, at: now)
            now += .seconds(pause)

            #expect(memory.error(for: url, at: now - .milliseconds(1)) != nil)
            #expect(memory.error(for: url, at: now) == nil)
        }
    }

    // M25
    @Test func `a success ends the repetition, and frees the host`() throws {
        var memory = FailureMemory()
        let url = try url("http://a.example/1")
        for _ in 0..<5 { memory.remember(status(500), for: url, at: .zero) }
        memory.remember(transfer(.noConnection), for: url, at: .zero)

        memory.forget(url)

        #expect(memory.error(for: url, at: .zero) == nil)
        memory.remember(status(500), for: url, at: .zero)
        #expect(memory.error(for: url, at: .seconds(15)) == nil)
    }

    // F8
    @Test(arguments: [429, 503])
    func `Retry-After replaces our own pause`(code: Int) throws {
        var memory = FailureMemory()
        let url = try url("http://a.example/1")

        memory.remember(status(code, retryAfter: .seconds(120)), for: url, at: .zero)

        #expect(memory.error(for: url, at: .seconds(119)) != nil)
        #expect(memory.error(for: url, at: .seconds(120)) == nil)
    }

    // F8: failures can be listed and cleared
    @Test func `remembered failures can be listed, with the remaining time`() throws {
        var memory = FailureMemory()
        memory.remember(status(404), for: try url("http://b.example/1"), at: .zero)
        memory.remember(transfer(.hostNotFound), for: try url("http://a.example/1"), at: .zero)
        memory.remember(status(410), for: try url("http://c.example/1"), at: .zero)

        let list = memory.list(at: .seconds(4))

        #expect(
            list == [
                RememberedFailure(subject: "a.example", text: "no", remaining: .seconds(6)),
                RememberedFailure(
                    subject: "http://b.example/1",
                    text: "404 not found",
                    remaining: .seconds(596)
                ),
                RememberedFailure(subject: "http://c.example/1", text: "410 gone", remaining: nil),
            ]
        )
        #expect(memory.list(at: .seconds(600)).count == 1)
    }
}
