/// The rules for resuming an interrupted body (RFC 9110, 13.1.5, 14 and 15.3.7).
///
/// They determine when a body can be resumed, how the remaining bytes are requested, and whether a
/// response contains exactly these bytes. The rules are deliberately strict: a body composed of two
/// versions is a broken image in the cache, while a refusal only costs one download from the start.
enum ResumeRule {
    /// The minimum size of a partial body that is kept, in bytes.
    ///
    /// A server sends about 14 KB before it waits for the first acknowledgement (RFC 6928), so
    /// fewer bytes can be received again without an additional round trip.
    static let minimumByteCount = 16 << 10
    /// The number of seconds by which Last-Modified must precede Date to identify a version.
    ///
    /// Last-Modified has a resolution of one second, and the clocks of the server and its file
    /// system may differ (8.8.2.2).
    static let strongDateSeconds = 60

    /// The meaning of the response to a request for the rest of a body.
    enum Decision: Hashable, Sendable {
        /// The response is the rest of a body with this total length.
        case resume(totalByteCount: Int)
        /// The response is the complete body; drop the partial body.
        case restart
        /// The response does not match the request; drop the partial body and repeat the request
        /// without it.
        case retryWhole(ImageLoadingError)
        /// The status is unrelated to the partial body.
        case none
    }

    // MARK: Storing

    /// Returns the validator for resuming the response if it is interrupted.
    ///
    /// Returns nil if the response must not be resumed. A response with a weak entity tag must not
    /// be resumed even if it also has a date, because a date may be used only if there is no tag
    /// (13.1.5). A 206 is not the start of a body; a body that was resumed with it keeps the
    /// validator of the partial body.
    static func validator(of head: TransferHead) -> String? {
        guard head.status == 200, isPlain(head),
            head.headers["accept-ranges"]?.lowercased() != "none",
            !CacheControl(head.headers["cache-control"] ?? "").forbidsStorage
        else { return nil }
        guard let tag = head.headers["etag"] else { return strongDate(of: head) }
        return EntityTag(tag).flatMap { $0.isWeak ? nil : tag }
    }

    /// Returns the received bytes as a partial body.
    ///
    /// Returns nil if there are fewer than `minimum` bytes, or if the body is complete.
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

    /// Returns the fields that request the rest of a body.
    ///
    /// If the resource has changed, the server returns the complete body instead. The fields do not
    /// allow a content coding, because a range of encoded bytes does not match decoded bytes.
    static func fields(for partial: PartialBody) -> [HeaderField] {
        [
            HeaderField("Range", "bytes=\(partial.bytes.count)-"),
            HeaderField("If-Range", partial.validator),
            HeaderField("Accept-Encoding", "identity"),
        ]
    }

    /// Returns the header fields of a request together with the fields that request the rest of the
    /// body.
    ///
    /// If both contain a field with the same name, the field that requests the rest is used.
    static func headers(_ headers: [HeaderField], resuming partial: PartialBody) -> [HeaderField] {
        let fields = fields(for: partial)
        let others = headers.filter { own in !fields.contains { $0.isNamed(own.name) } }
        return others + fields
    }

    // MARK: Checking the response

    /// Returns how to handle the response to a request with `fields(for: partial)`.
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

    /// Returns the length of the complete body if the response is exactly the rest of `partial`, or
    /// nil otherwise.
    ///
    /// A response with several ranges (multipart/byteranges) is rejected, because it has no
    /// Content-Range.
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

    /// Returns whether the response has the same version of the resource as the partial body.
    ///
    /// If the validator is an entity tag, the response must contain a matching tag (15.3.7). If the
    /// validator is a date, the response may omit Last-Modified; if the field is present, it must
    /// be equal to the validator.
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

    /// Parses a field value.
    ///
    /// Returns nil if the unit is not bytes, if the range is descending, or if it exceeds the
    /// total.
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
