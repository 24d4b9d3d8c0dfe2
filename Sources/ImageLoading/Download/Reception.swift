/// What a running transfer has brought so far, and whether it is of any use.
struct Reception {
    /// How far to read an answer that is already known to be a failure.
    ///
    /// Up to here it is cheaper to let it end than to break the connection: libcurl needs a new one
    /// after an abort over HTTP/1.1, measured as 10 connections for 10 aborts against 1 for 10
    /// finished transfers.
    static let unwantedByteLimit = 64 << 10
    /// The most that a Content-Length, which is only a promise, makes us reserve at once.
    static let reservationLimit = 4 << 20

    private(set) var head: TransferHead?
    private(set) var body: [UInt8] = []
    private(set) var receivedByteCount = 0
    /// Why the body is read but not kept.
    private(set) var refusal: ImageLoadingError?

    var progress: LoadProgress {
        LoadProgress(received: receivedByteCount, expected: head?.expectedByteCount)
    }

    /// Bytes that were announced and need not be sent if the transfer stops here.
    var missingByteCount: Int {
        max(0, (head?.expectedByteCount ?? 0) &- receivedByteCount)
    }

    /// Whether reading to the end of a refused answer would cost more than a new connection.
    var isWorthStopping: Bool {
        refusal != nil
            && max(receivedByteCount, head?.expectedByteCount ?? 0) > Self.unwantedByteLimit
    }

    mutating func receive(_ head: TransferHead, of request: TransferRequest) {
        guard self.head == nil else { return }
        self.head = head
        refusal = HTTPStatusRule(request).error(for: head.status)
        guard refusal == nil, let expected = head.expectedByteCount else { return }
        body.reserveCapacity(min(expected, Self.reservationLimit))
    }

    mutating func receive(_ chunk: [UInt8]) {
        receivedByteCount += chunk.count
        guard refusal == nil else { return }
        body.append(contentsOf: chunk)
    }

    /// The end, seen from the listeners: `error` is the transport's word on it.
    func outcome(_ error: ImageLoadingError?) -> Result<DownloadedBody, ImageLoadingError> {
        if let failure = refusal ?? error { return .failure(failure) }
        guard let head else {
            return .failure(.download(.transient, .transport(code: 0, text: "no response")))
        }
        if let expected = head.expectedByteCount, expected != receivedByteCount {
            return .failure(
                .download(
                    .transient,
                    .lengthMismatch(received: receivedByteCount, expected: expected)
                )
            )
        }
        guard !body.isEmpty || head.status == 304 else {
            return .failure(.download(.transient, .emptyBody))
        }
        return .success(DownloadedBody(bytes: body, head: head))
    }
}
