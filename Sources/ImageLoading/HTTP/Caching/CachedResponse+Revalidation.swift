extension CachedResponse {
    /// The fields that ask whether the server still has these bytes; empty if it can't be asked.
    ///
    /// A date would say nothing about a response that was chosen for other fields: then only the
    /// tag is sent (RFC 9111, 4.3.1).
    func conditionalFields(for request: [HeaderField]) -> [HeaderField] {
        var fields: [HeaderField] = []
        if let entityTag { fields.append(HeaderField("If-None-Match", entityTag.fieldValue)) }
        if let lastModified, vary.matches(request) {
            let date = HTTPDate(seconds: lastModified)
            fields.append(HeaderField("If-Modified-Since", date.text))
        }
        return fields
    }

    /// What is known of the kept body after a 304; nil if the 304 speaks of other bytes, and the
    /// entry must be fetched anew (RFC 9111, 3.2 and 4.3.4).
    ///
    /// `request` are the fields without the conditional ones. Fields that the 304 has replace ours.
    /// What describes the body stays: Content-Type, and our tag, which may be strong where the 304
    /// has the weak form of it.
    func revalidated(
        by head: TransferHead,
        of request: [HeaderField],
        times: ExchangeTimes
    ) -> CachedResponse? {
        let theirs = head.headers["etag"].flatMap { EntityTag($0) }
        if let theirs, let ours = entityTag, !theirs.weaklyMatches(ours) { return nil }
        var merged = self
        merged.times = times
        merged.read(head.headers)
        merged.entityTag = entityTag ?? theirs
        merged.vary =
            head.headers["vary"].map { VaryRule($0, of: request) }
            ?? vary.applied(to: request)
        return merged
    }
}
