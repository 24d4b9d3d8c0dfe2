internal import CCurl

extension CurlFunctions {
    /// Reads a URL the way libcurl does when it asks for it, relative to `base` if there is one.
    ///
    /// Nil for what is no absolute URL; the scheme may be any. Odd spellings of an IPv4 address
    /// ("0x7f.1") come out in the usual one.
    func address(_ text: String, relativeTo base: WebAddress? = nil) -> WebAddress? {
        guard let url = table.pointee.url() else { return nil }
        defer { table.pointee.url_cleanup(url) }
        if let base, table.pointee.url_set(url, CURLUPART_URL, base.text, 0) != CURLUE_OK {
            return nil
        }
        let flags = CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE
        guard table.pointee.url_set(url, CURLUPART_URL, text, UInt32(flags)) == CURLUE_OK,
            let whole = part(CURLUPART_URL, of: url),
            let scheme = part(CURLUPART_SCHEME, of: url)
        else { return nil }
        let port = part(CURLUPART_PORT, of: url, flags: UInt32(CURLU_DEFAULT_PORT))
        return WebAddress(
            text: whole,
            scheme: scheme.lowercased(),
            host: part(CURLUPART_HOST, of: url)?.lowercased() ?? "",
            port: port.flatMap { Int($0) } ?? 0,
            path: part(CURLUPART_PATH, of: url) ?? "/"
        )
    }

    /// Reads a date as servers write it, in seconds since 1970.
    func date(_ text: String) -> Int? {
        let seconds = table.pointee.getdate(text, nil)
        // libcurl's only sign of an error; the second before 1970 is lost to it.
        return seconds == -1 ? nil : seconds
    }

    private func part(_ part: CURLUPart, of url: OpaquePointer, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard table.pointee.url_get(url, part, &text, flags) == CURLUE_OK, let text else {
            return nil
        }
        defer { table.pointee.free(text) }
        return String(cString: text)
    }
}
