/// The validator of a resource on a server, which identifies its version (RFC 9110, section 8.8).
package enum EntityValidator {
    /// Returns the validator in a response: the strong entity tag, or else the `Last-Modified`
    /// date.
    ///
    /// Returns nil if the response has neither.
    static func of(_ head: TransferHead) -> String? {
        let tag = head.headers["etag"].flatMap { EntityTag($0)?.isWeak == false ? $0 : nil }
        return tag ?? head.headers["last-modified"]
    }

    /// Returns whether a response contains the expected version of a resource.
    ///
    /// `answered` is the validator in the response. `known` is the validator of the expected
    /// version; if it is nil, the result is true. If only `answered` is nil, the result is true if
    /// `known` is a date: a 206 response to a request with `If-Range` may omit `Last-Modified`, but
    /// not `ETag` (RFC 9110, 15.3.7).
    package static func isSame(_ answered: String?, as known: String?) -> Bool {
        guard let known else { return true }
        guard let answered else { return !known.hasPrefix("\"") }
        return answered == known
    }
}
