/// The rules for resuming an interrupted body: when it is possible, how to request the rest, and
/// whether a response contains exactly the rest (RFC 9110, 13.1.5, 14 and 15.3.7).
///
/// The rules are strict on purpose: a body composed of two versions is a broken image in the cache,
/// and a refusal only costs one download from the start.
enum ResumeRule {
    /// The minimum size in bytes of a partial body that is worth keeping.
    ///
    /// A server sends about 14 KB before it waits for the first acknowledgement (RFC 6928), so a
    /// smaller number of bytes arrives again without an additional round trip.
    static let minimumByteCount = 16 << 10
    /// The number of seconds by which Last-Modified must precede Date to identify a version.
    ///
    /// Last-Modified has a resolution of one second, and the clocks of the server and its file
    /// system may differ (8.8.2.2).
    static let strongDateSeconds = 60

    /// The meaning of the response to a request for the rest.
    enum Decision: Hashable, Sendable {
        /// The response is the rest of a body with the given total length.
        case resume(totalByteCount: Int)
        /// The response is the complete body; the partial body is discarded.
        case restart
        /// The response does not match the request: discard the partial body, and send the request
        /// without it.
        case retryWhole(ImageLoadingError)
        /// The status does not affect the partial body.
        case none
    }

    // MARK: Storing

    /// Returns the validator for resuming this response if it is interrupted; nil if it must not be
    /// resumed.
    ///
    /// A response with a weak entity tag cannot be resumed: a date may only be used if there is no
    /// tag (13.1.5). A 206 is not the start of a body; the rest of a partial body keeps the
    /// validator of the partial body.
    static func validator(of head: TransferHead) -> String? {
        guard head.status == 200, isPlain(head),
            head.headers["accept-ranges"]?.lowercased() != "none",
            !CacheControl(head.headers["cache-control"] ?? "").forbidsStorage
        else { return nil }
        guard let tag = head.headers["etag"] else { return strongDate(of: head) }
        return EntityTag(tag).flatMap { $0.isWeak ? nil : tag }
    }

    /// Returns the bytes received so far as a partial body; nil if there are fewer than `minimum`,
    /// or if the body is complete.
    static func partial(
        _ bytes: [UInt8],
        validator: String,
        total: Int?,
        minimum: Int = minimumByteCount
    ) -> PartialBody? {
        guard bytes.count >= minimum, bytes.count < total ?? Int.max else { return nil }
        return PartialBody(bytes: bytes, validator: validator, totalByteCount: total)
    }

    // MARK: Requesting

    /// Returns the fields that request the rest if the resource is unchanged, and the complete body
    /// otherwise.
    ///
    /// The fields rule out a content coding, because a range of encoded bytes does not match
    /// decoded bytes.
    static func fields(for partial: PartialBody) -> [HeaderField] {
        [
            HeaderField("Range", "bytes=\(partial.bytes.count)-"),
            HeaderField("If-Range", partial.validator),
            HeaderField("Accept-Encoding", "identity"),
        ]
    }

    /// Returns the header fields of a request, together with the fields that request the rest of
    /// the body.
    ///
    /// The fields that request the rest replace fields of the request with the same name.
    static func headers(_ headers: [HeaderField], resuming partial: PartialBody) -> [HeaderField] {
        let fields = fields(for: partial)
        let others = headers.filter { own in !fields.contains { $0.isNamed(own.name) } }
        return others + fields
    }

    // MARK: Checking the response

    /// Returns the meaning of the response to `fields(for: partial)`.
    static func decision(on head: TransferHead, for partial: PartialBody) -> Decision {
        switch head.status {
        case 200...203, 207...299:
            // The transport does not decode the response to a range request, so the body would be
            // stored encoded.
            isPlain(head) ? .restart : .retryWhole(mismatch)
        case 206:
            total(of: head, after: partial).map { .resume(totalByteCount: $0) }
                ?? .retryWhole(mismatch)
        // This applies even if the total in the response equals the received length, because the
        // total may describe another version.
        case 416: .retryWhole(.download(.transient, .httpStatus(416)))
        default: .none
        }
    }

    private static let mismatch = ImageLoadingError.download(.rangeMismatch)

    /// Returns the total length if the response is exactly the rest of `partial`, otherwise nil.
    ///
    /// A list of ranges (multipart/byteranges) is rejected, because it has no Content-Range of its
    /// own.
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

    /// Returns whether the response belongs to the same version as the partial body.
    ///
    /// If the validator is a tag, the response must contain a matching tag (15.3.7). If the
    /// validator is a date, the response may omit Last-Modified, but the field must be equal if
    /// present.
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

/// The value of Content-Range: the part of a body in a 206, or the length of the body in a 416 (RFC
/// 9110, 14.4).
///
///     Content-Range: bytes 200-999/1000    a part
///     Content-Range: bytes 200-999/*       a part of a body of unknown length
///     Content-Range: bytes */1000          no part, in a 416
struct ContentRange: Hashable, Sendable {
    /// The positions of the first and the last byte; nil for `*`.
    let bytes: ClosedRange<Int>?
    /// The length of the complete body; nil for `*`.
    let total: Int?

    /// Parses a field value; nil for other units, a descending range, or a range beyond the total.
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
