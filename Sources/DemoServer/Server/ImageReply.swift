import Decoders

/// The parts of an image request that affect the response.
struct DemoImageRequest: Equatable {
    var path: String
    var query: Substring = ""
    var ifNoneMatch: String?
    var range: String?
    var ifRange: String?
}

extension Reply {
    /// Returns a response that needs no image (a redirect, an error status or an HTML page), or nil
    /// if the image is needed.
    static func withoutImage(_ request: DemoImageRequest, faults: Faults) -> Reply? {
        if faults.redirects > 0 {
            return redirect(request, remaining: faults.redirects - 1)
        }
        if let status = faults.status, status != 200 {
            let isBodyless = status == 204 || status == 304
            return Reply(status: status, text: isBodyless ? "" : "status \(status), as asked\n")
                .applying(faults)
        }
        guard faults.isHTML else { return nil }
        return Reply(
            text: "<!DOCTYPE html><title>Sign in</title><p>This is a page, not an image.\n",
            contentType: "text/html; charset=utf-8"
        ).applying(faults)
    }

    /// Returns a response with the complete image, or with the part that the request specifies.
    ///
    /// The status is 304 if the client already has the image, and 416 if the requested part does
    /// not exist.
    static func image(
        _ image: [UInt8],
        format: ImageFormat,
        request: DemoImageRequest,
        faults: Faults,
        entityTag: String
    ) -> Reply {
        var headers = ["Accept-Ranges": "bytes", "Cache-Control": "public, max-age=86400"]
        if !entityTag.isEmpty { headers["ETag"] = entityTag }
        let type = "image/\(format.rawValue)"
        if let known = request.ifNoneMatch, matches(known, entityTag: entityTag) {
            return Reply(status: 304, contentType: type, body: [], headers: headers)
        }
        let body = faults.isCorrupt ? damaged(image) : image
        let mayBePart = request.ifRange == nil || request.ifRange == entityTag
        switch mayBePart ? ByteRange(header: request.range, length: body.count) : .whole {
        case .whole:
            return Reply(status: 200, contentType: type, body: body, headers: headers)
                .applying(faults)
        case .part(let range):
            headers["Content-Range"] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
            return Reply(status: 206, contentType: type, body: Array(body[range]), headers: headers)
                .applying(faults)
        case .unsatisfiable:
            headers["Content-Range"] = "bytes */\(body.count)"
            return Reply(status: 416, contentType: type, body: [], headers: headers)
        }
    }

    /// Returns whether `If-None-Match` matches the entity tag.
    ///
    /// The comparison is weak (RFC 9110, 13.1.2), so a `W/` before a tag is ignored.
    private static func matches(_ header: String, entityTag: String) -> Bool {
        guard !entityTag.isEmpty else { return false }
        if header == "*" { return true }
        return header.split(separator: ",").contains { item in
            var tag = item.drop { $0 == " " }
            while tag.last == " " { tag.removeLast() }
            return (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == entityTag
        }
    }

    private static func redirect(_ request: DemoImageRequest, remaining: Int) -> Reply {
        let items = request.query.split(separator: "&").filter { !$0.hasPrefix("redirect=") }
        let query = (items + (remaining > 0 ? ["redirect=\(remaining)"] : []))
            .joined(separator: "&")
        var reply = Reply(status: 302, text: "elsewhere\n")
        reply.headers["Location"] = query.isEmpty ? request.path : "\(request.path)?\(query)"
        return reply
    }

    /// Returns the file with damaged bytes in the middle.
    ///
    /// The header is unchanged, so the format is recognized, but decoding fails.
    private static func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for index in bytes.count * 2 / 5..<bytes.count / 2 { bytes[index] ^= 0xA5 }
        return bytes
    }
}

/// The part of a body that a `Range` header requests (RFC 9110, section 14).
enum ByteRange: Equatable {
    /// The whole body, because the header is missing or invalid, or requests several ranges.
    ///
    /// A server may ignore a request for several ranges.
    case whole
    /// One satisfiable range.
    case part(Range<Int>)
    /// A range that begins after the end of the body; the response has status 416.
    case unsatisfiable

    /// Parses `bytes=first-last`, `bytes=first-` or `bytes=-count` for a body of `length` bytes.
    init(header: String?, length: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes="), !header.contains(",") else { return }
        let ends = header.dropFirst(6).split(
            separator: "-",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard ends.count == 2, !ends[0].hasPrefix("+"), !ends[1].hasPrefix("+") else { return }
        switch (Int(ends[0]), Int(ends[1])) {
        case (nil, let count?) where ends[0].isEmpty && count >= 0:
            self =
                count == 0 || length == 0
                ? .unsatisfiable : .part(max(0, length - count)..<length)
        case (let first?, nil) where ends[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        default: return
        }
    }
}
