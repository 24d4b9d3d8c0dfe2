/// When an interrupted body may be resumed, how to ask for the rest, and whether the answer
/// is that rest (RFC 9110, 13.1.5, 14 and 15.3.7).
///
/// The rule is strict on purpose: a body joined of two versions is a broken picture that is kept,
/// and the price of a refusal is one download from the start.
enum ResumeRule {
    /// What is shorter is not worth keeping.
    ///
    /// A server sends about 14 KB before it waits for the first acknowledgement (RFC 6928), so that
    /// these bytes come again without a further round trip.
    static let minimumByteCount = 16 << 10
    /// How long before Date the last change must lie, for Last-Modified to tell versions apart: it
    /// counts whole seconds, and clocks of server and file system may differ (8.8.2.2).
    static let strongDateSeconds = 60

    /// What an answer to a request for the rest means.
    enum Decision: Hashable, Sendable {
        /// The rest, of a whole of so many bytes.
        case resume(totalByteCount: Int)
        /// The whole body, from its start; the partial one is of no use any more.
        case restart
        /// Not what was asked for: drop the partial body, and send the request without it.
        case retryWhole(ImageLoadingError)
        /// A status that says nothing about the partial body.
        case none
    }

    // MARK: Keeping

    /// What to ask with, should this response's body break off; nil if it may not be resumed.
    ///
    /// A response with an entity tag that isn't strong has nothing else to offer: a date may only
    /// stand in where there is no tag (13.1.5). A 206 is the start of nothing; the rest of a
    /// partial body keeps the partial body's own validator.
    static func validator(of head: TransferHead) -> String? {
        guard head.status == 200, isPlain(head),
            head.headers["accept-ranges"]?.lowercased() != "none",
            !CacheControl(head.headers["cache-control"] ?? "").forbidsStorage
        else { return nil }
        guard let tag = head.headers["etag"] else { return strongDate(of: head) }
        return EntityTag(tag).flatMap { $0.isWeak ? nil : tag }
    }

    /// The body so far as something to resume; nil if it is shorter than `minimum`, or already
    /// whole.
    static func partial(
        _ bytes: [UInt8],
        validator: String,
        total: Int?,
        minimum: Int = minimumByteCount
    ) -> PartialBody? {
        guard bytes.count >= minimum, bytes.count < total ?? Int.max else { return nil }
        return PartialBody(bytes: bytes, validator: validator, totalByteCount: total)
    }

    // MARK: Asking

    /// The fields that ask for the rest, if the server still has the same body, else for the whole.
    ///
    /// Without content coding, as a range of coded bytes would not fit to bytes that were decoded.
    static func fields(for partial: PartialBody) -> [HeaderField] {
        [
            HeaderField("Range", "bytes=\(partial.bytes.count)-"),
            HeaderField("If-Range", partial.validator),
            HeaderField("Accept-Encoding", "identity"),
        ]
    }

    /// The fields of a request with those that ask for the rest in place of its own of their names.
    static func headers(_ headers: [HeaderField], resuming partial: PartialBody) -> [HeaderField] {
        let fields = fields(for: partial)
        let others = headers.filter { own in !fields.contains { $0.isNamed(own.name) } }
        return others + fields
    }

    // MARK: Judging

    /// What an answer to `fields(for: partial)` means.
    static func decision(on head: TransferHead, for partial: PartialBody) -> Decision {
        switch head.status {
        case 200...203, 207...299:
            // The transport leaves a coding alone when a range is asked for, so that the body would
            // be kept in its coded form.
            isPlain(head) ? .restart : .retryWhole(mismatch)
        case 206:
            total(of: head, after: partial).map { .resume(totalByteCount: $0) }
                ?? .retryWhole(mismatch)
        // Also when the server's total says that nothing is missing: what it refers to is unknown.
        case 416: .retryWhole(.download(.transient, .httpStatus(416)))
        default: .none
        }
    }

    private static let mismatch = ImageLoadingError.download(.rangeMismatch)

    /// The length of the whole if the answer is exactly the rest of `partial`.
    ///
    /// A list of ranges (multipart/byteranges) has no Content-Range of its own.
    private static func total(of head: TransferHead, after partial: PartialBody) -> Int? {
        guard isPlain(head), !isMultipart(head), hasValidator(of: partial, head),
            let range = head.headers["content-range"].flatMap({ ContentRange($0) }),
            let bytes = range.bytes, bytes.lowerBound == partial.bytes.count,
            let total = range.total ?? partial.totalByteCount,
            total == partial.totalByteCount ?? total, bytes.upperBound == total &- 1,
            head.expectedByteCount ?? bytes.count == bytes.count
        else { return nil }
        return total
    }

    /// Whether the part belongs to the version that the partial body is of.
    ///
    /// A tag must be there (15.3.7 asks for it). Last-Modified may be left out of an answer to
    /// If-Range, and must be the same if it is there.
    private static func hasValidator(of partial: PartialBody, _ head: TransferHead) -> Bool {
        guard let ours = EntityTag(partial.validator) else {
            return head.headers["last-modified"] ?? partial.validator == partial.validator
        }
        let theirs = head.headers["etag"].flatMap { EntityTag($0) }
        return theirs.map { ours.stronglyMatches($0) } ?? false
    }

    private static func isPlain(_ head: TransferHead) -> Bool {
        head.headers["content-encoding"].map { $0.lowercased() == "identity" } ?? true
    }

    private static func isMultipart(_ head: TransferHead) -> Bool {
        head.headers["content-type"]?.lowercased().hasPrefix("multipart/") ?? false
    }

    private static func strongDate(of head: TransferHead) -> String? {
        guard let text = head.headers["last-modified"], let changed = HTTPDate(text),
            let made = head.headers["date"].flatMap({ HTTPDate($0) }),
            made.seconds - changed.seconds >= strongDateSeconds
        else { return nil }
        return text
    }
}

/// The part of a body that a 206 holds, or that a 416 names (RFC 9110, 14.4).
///
///     Content-Range: bytes 200-999/1000    a part
///     Content-Range: bytes 200-999/*       a part of a body of unknown length
///     Content-Range: bytes */1000          none, of a 416
struct ContentRange: Hashable, Sendable {
    /// The first and the last byte; nil for `*`.
    let bytes: ClosedRange<Int>?
    /// The length of the whole body; nil for `*`.
    let total: Int?

    /// Nil for other units, for a range that runs backwards or leads past the total, and garbage.
    init?(_ fieldValue: String) {
        let words = fieldValue.split { $0 == " " || $0 == "\t" }
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = Self.number(parts[1])
        guard total != nil || parts[1] == "*" else { return nil }
        self.total = total
        guard parts[0] != "*" else {
            bytes = nil
            return
        }
        guard let bytes = Self.range(parts[0]), bytes.upperBound < total ?? Int.max else {
            return nil
        }
        self.bytes = bytes
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]),
            first <= last
        else { return nil }
        return first...last
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
