extension TransferHead {
    /// The head that the whole body would have had, made of the head of its last part
    /// (RFC 9110, 15.3.7.3).
    ///
    /// An answer to If-Range need not repeat Last-Modified, which is known from the validator.
    func completing(validator: String, totalByteCount: Int) -> TransferHead {
        var headers = headers
        headers["content-range"] = nil
        headers["content-length"] = String(totalByteCount)
        if EntityTag(validator) == nil { headers["last-modified"] = validator }
        return TransferHead(
            status: 200,
            expectedByteCount: totalByteCount,
            headers: headers,
            httpVersion: httpVersion
        )
    }
}
