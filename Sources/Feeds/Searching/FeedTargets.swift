internal import Glibc
import ImageLoading
internal import SystemSupport

/// Methods that read the URLs and captions of items without creating the items.
///
/// They are fast enough for a feed of a million lines.
extension Feed {
    /// Returns the host of an item's URL in lowercase, with its port, or nil for a file.
    package func host(of item: Int) -> String? {
        withHost(of: item) { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    /// Calls `body` with the host of each item in a range, as bytes, or with nil for a file.
    package func forEachHost(
        of items: Range<Int>,
        _ body: (Slice<UnsafeBufferPointer<UInt8>>?) -> Void
    ) {
        switch searchable {
        case .lines(let lines):
            lines.withBytes { buffer in
                for item in items {
                    if let host = Self.plainHost(in: buffer, from: lines.start(of: item)) {
                        body(buffer[host])
                    } else {
                        host(of: item, body)
                    }
                }
            }
        case .joined(let feeds, let ends):
            for part in JoinedParts(of: items, ends) {
                feeds[part.feed].forEachHost(of: part.items, body)
            }
        case .items, .records: items.forEach { host(of: $0, body) }
        }
    }

    /// Calls `body` with the characters after the last dot of each file name, or with nil if there
    /// are no such characters.
    package func forEachSuffix(
        of items: Range<Int>,
        _ body: (Slice<UnsafeBufferPointer<UInt8>>?) -> Void
    ) {
        switch searchable {
        case .lines(let lines):
            lines.withBytes { buffer in
                for item in items {
                    let range = lines.start(of: item)..<lines.end(of: item, in: buffer)
                    let line = UnsafeBufferPointer(rebasing: buffer[range])
                    let parts = lines.areWhole ? LineParts(whole: line) : LineParts(line)
                    let target = UnsafeBufferPointer(rebasing: line[parts.target])
                    body(Self.suffix(of: target).map { target[$0] })
                }
            }
        case .joined(let feeds, let ends):
            for part in JoinedParts(of: items, ends) {
                feeds[part.feed].forEachSuffix(of: part.items, body)
            }
        case .items, .records:
            for item in items {
                let isNamed: Void? = withSuffix(of: item) { body($0) }
                if isNamed == nil { body(nil) }
            }
        }
    }

    private func host(of item: Int, _ body: (Slice<UnsafeBufferPointer<UInt8>>?) -> Void) {
        let isRemote: Void? = withHost(of: item) { body($0) }
        if isRemote == nil { body(nil) }
    }

    /// Returns the range of the host and port in a URL, without parsing the whole line.
    ///
    /// Returns nil if the URL does not start with `http://` or `https://`, if no slash follows the
    /// host, or if the host contains unusual characters.
    private static func plainHost(
        in bytes: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Range<Int>? {
        guard bytes.count - start > 8, let base = bytes.baseAddress else { return nil }
        var first = start
        if memcmp(base + start, "https://", 8) == 0 {
            first += 8
        } else if memcmp(base + start, "http://", 7) == 0 {
            first += 7
        } else {
            return nil
        }
        var end = first
        while end < bytes.count, bytes[end] != 0x2F {
            // Letters, digits, "-", "." and the colon of a port; other characters require the full
            // parser.
            let byte = bytes[end]
            guard byte == 0x2D || byte == 0x2E || byte &- 0x30 < 11 || (byte | 0x20) &- 0x61 < 26
            else { return nil }
            end += 1
        }
        return end < bytes.count && end > first ? first..<end : nil
    }

    /// Calls `body` with the host in an item's URL, as bytes, and returns the result, or returns
    /// nil for a file.
    package func withHost<Result>(
        of item: Int,
        _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Result
    ) -> Result? {
        let own: Result?? = withTarget(of: item) { target in
            Self.host(in: target).map { .some(body(target[$0])) }
        }
        if let own { return own }
        let url = Array(self[item].url.utf8)
        return url.withUnsafeBufferPointer { url in
            guard !url.starts(with: "data:".utf8) else { return nil }
            return Self.host(in: url).map { body(url[$0]) }
        }
    }

    private static func host(in url: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard let base = url.baseAddress, let found = memchr(base, 0x3A, url.count) else {
            return nil
        }
        let colon = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        guard colon + 2 < url.count, url[colon + 1] == 0x2F, url[colon + 2] == 0x2F else {
            return nil
        }
        var (start, end) = (colon + 3, colon + 3)
        while end < url.count {
            let byte = url[end]
            // "/", "?" and "#" end the host. The part before "@" is not part of the host.
            if byte == 0x2F || byte == 0x3F || byte == 0x23 { break }
            end += 1
            if byte == 0x40 { start = end }
        }
        return start < end ? start..<end : nil
    }

    /// Calls `body` with the characters after the last dot of a file name and returns the result,
    /// or returns nil if there are no such characters.
    package func withSuffix<Result>(
        of item: Int,
        _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Result
    ) -> Result? {
        let own: Result?? = withTarget(of: item) { target in
            .some(Self.suffix(of: target).map { body(target[$0]) })
        }
        if let own { return own }
        return Array(self[item].url.utf8).withUnsafeBufferPointer { url in
            Self.suffix(of: url).map { body(url[$0]) }
        }
    }

    /// The maximum length in bytes of a suffix that indicates a file type.
    private static let longestSuffix = 16

    private static func suffix(of url: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        // A data URL contains no file name.
        guard !url.startsAsData else { return nil }
        let end = min(
            url.place(of: UInt8(ascii: "?"), from: 0),
            url.place(of: UInt8(ascii: "#"), from: 0)
        )
        var start = end
        while start > 0, end - start <= longestSuffix, url[start - 1] != 0x2E {
            if url[start - 1] == 0x2F { return nil }
            start -= 1
        }
        guard start > 0, url[start - 1] == 0x2E, start < end else { return nil }
        return start..<end
    }

    /// Returns the item, or nil if it is not a local file.
    package func localItem(_ item: Int) -> FeedItem? {
        let isRemote = withTarget(of: item) { target in
            target.count > 4 && target[0] | 0x20 == 0x68 && Self.host(in: target) != nil
        }
        guard isRemote != true else { return nil }
        let feedItem = self[item]
        return feedItem.isLocalFile ? feedItem : nil
    }

    /// Returns the publication time of an item, in seconds since 1970, or nil if the feed does not
    /// specify it.
    package func date(of item: Int) -> Int? {
        withLeaf(of: item) { feed, index in
            // A line has no date.
            if case .lines = feed.searchable { return nil }
            return feed[index].details?.date
        }
    }

    package func caption(of item: Int) -> String {
        if let caption = recordCaption(of: item) { return caption }
        return withLine(of: item) { line, parts in
            guard parts.caption != nil || !line.contains(0x40) else { return nil }
            if let caption = parts.caption { return String(decoding: line[caption], as: UTF8.self) }
            let target = line[parts.target]
            let path = target.prefix { $0 != 0x3F && $0 != 0x23 }
            guard let slash = path.lastIndex(of: 0x2F), slash + 1 < path.endIndex else {
                return nil
            }
            let name = path[(slash + 1)...]
            guard name.contains(0x25) else { return String(decoding: name, as: UTF8.self) }
            return String(decoding: PercentCoding.decoded(name), as: UTF8.self)
        } ?? self[item].caption
    }

    /// Calls `body` with the feed that contained an item before feeds were joined, and with the
    /// item's index in that feed.
    package func withLeaf<Result>(of item: Int, _ body: (Feed, Int) -> Result) -> Result {
        guard case .joined(let feeds, let ends) = searchable else { return body(self, item) }
        let place = ends.partitioningIndex { $0 > item }
        return feeds[place].withLeaf(of: place == 0 ? item : item - ends[place - 1], body)
    }

    /// Calls `body` with the URL or path in a line or record and returns the result.
    ///
    /// The URL or path is passed as written in the feed. Returns nil for other feeds, and if the
    /// URL in a record contains escape sequences.
    package func withTarget<Result>(
        of item: Int,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result?
    ) -> Result? {
        withLine(of: item) { body(UnsafeBufferPointer(rebasing: $0[$1.target])) }
    }

    /// Returns the caption of a record, or nil if records have no captions.
    private func recordCaption(of item: Int) -> String? {
        switch searchable {
        case .items, .lines: return nil
        case .records(let records, let parser):
            guard parser.layout.hasCaption else { return nil }
            let plain: String? = records.withRecord(item) { record in
                guard let caption = parser.caption(in: record), !caption.isEmpty else { return nil }
                return String(decoding: record[caption], as: UTF8.self)
            }
            return plain ?? self[item].caption
        case .joined(let feeds, let ends):
            let place = ends.partitioningIndex { $0 > item }
            return feeds[place].recordCaption(of: place == 0 ? item : item - ends[place - 1])
        }
    }

    private func withLine<Result>(
        of item: Int,
        _ body: (UnsafeBufferPointer<UInt8>, LineParts) -> Result?
    ) -> Result? {
        switch searchable {
        case .items: return nil
        case .lines(let lines):
            return lines.withBytes { buffer in
                let range = lines.start(of: item)..<lines.end(of: item, in: buffer)
                let line = UnsafeBufferPointer(rebasing: buffer[range])
                return body(line, lines.areWhole ? LineParts(whole: line) : LineParts(line))
            }
        case .records(let records, let parser):
            return records.withRecord(item) { record in
                guard let target = parser.target(in: record) else { return nil }
                return body(record, LineParts(target: target, caption: parser.caption(in: record)))
            }
        case .joined(let feeds, let ends):
            let place = ends.partitioningIndex { $0 > item }
            return feeds[place].withLine(of: place == 0 ? item : item - ends[place - 1], body)
        }
    }
}
