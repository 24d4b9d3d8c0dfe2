@testable import ImageLoading

/// A download that is resumed after each failure until the body is complete.
struct ResumeJourney {
    /// The offset from which each request asked for the body.
    private(set) var starts: [Int] = []
    /// The outcome of each transfer.
    private(set) var outcomes: [ReceptionOutcome] = []
    /// The number of body bytes received.
    private(set) var byteCount = 0
    /// The result, if there is one.
    private(set) var body: DownloadedBody?

    private let chunkSize: Int

    /// Sends at most `limit` requests to `server`, a function of the request and the number of
    /// previous requests.
    init(
        chunkSize: Int = 7000,
        limit: Int = 8,
        server: (TransferRequest, _ attempt: Int) -> RangeServer.Answer
    ) {
        self.chunkSize = chunkSize
        var partial: PartialBody?
        while body == nil, outcomes.count < limit {
            partial = transfer(from: partial, server)
        }
    }

    init(_ server: RangeServer, chunkSize: Int = 7000) {
        self.init(chunkSize: chunkSize) { server.answer(to: $0, attempt: $1) }
    }

    /// Performs one transfer, and returns the partial body from which the next one can start.
    private mutating func transfer(
        from partial: PartialBody?,
        _ server: (TransferRequest, _ attempt: Int) -> RangeServer.Answer
    ) -> PartialBody? {
        let request = TransferRequest(
            id: .unique(),
            url: "http://a/b",
            headers: partial.map { ResumeRule.headers([], resuming: $0) } ?? []
        )
        let answer = server(request, outcomes.count)
        starts.append(partial?.bytes.count ?? 0)
        byteCount += answer.bytes.count

        var reception = Reception(partial: partial)
        reception.receive(answer.head, of: request)
        var rest = answer.bytes
        while !rest.isEmpty {
            reception.receive(Array(rest.prefix(chunkSize)))
            rest = rest.dropFirst(chunkSize)
        }
        return end(reception, answer.error)
    }

    private mutating func end(
        _ reception: Reception,
        _ error: ImageLoadingError?
    ) -> PartialBody? {
        let outcome = reception.outcome(error)
        outcomes.append(outcome)
        switch outcome {
        case .success(let body):
            self.body = body
            return nil
        // As it would be read back from the disk.
        case .failure:
            return reception.partial.flatMap {
                PartialBody(bytes: $0.bytes, metadata: $0.metadata)
            }
        case .restart: return nil
        }
    }
}
