internal import Glibc
import ImageLoading
internal import SystemSupport

/// Methods that search the captions, file names and URLs of a feed for a string.
///
/// Lines and records are searched as bytes, without creating items: searching a million lines takes
/// as long as reading 70 MB. An escape sequence matches the characters that it represents, and user
/// names and passwords are never matched. In a record, all values are searched.
extension Feed {
    /// Calls `found` with the index of each matching item in a range, in order, until `found`
    /// returns false.
    package func search(
        for needle: TextNeedle,
        in range: Range<Int>,
        found: (Int) -> Bool
    ) {
        _ = searchOn(for: needle, in: range, offset: 0, found: found)
    }

    /// Returns whether an item contains the search text.
    package func item(_ item: Int, has needle: TextNeedle) -> Bool {
        var has = false
        search(for: needle, in: item..<item + 1) { _ in
            has = true
            return false
        }
        return has
    }

    private func searchOn(
        for needle: TextNeedle,
        in range: Range<Int>,
        offset: Int,
        found: (Int) -> Bool
    ) -> Bool {
        switch searchable {
        case .items(let items):
            for index in range where items[index].has(needle) {
                guard found(index + offset) else { return false }
            }
        case .lines(let lines):
            return lines.search(for: needle, in: range) { found($0 + offset) }
        case .records(let records, _):
            return records.search(for: needle, in: range) { found($0 + offset) }
        case .joined(let feeds, let ends):
            for part in JoinedParts(of: range, ends) {
                let goesOn = feeds[part.feed]
                    .searchOn(
                        for: needle,
                        in: part.items,
                        offset: offset + part.start,
                        found: found
                    )
                guard goesOn else { return false }
            }
        }
        return true
    }
}

/// A range of items in a joined feed, divided into one part for each original feed.
package struct JoinedParts: Sequence, IteratorProtocol {
    /// The index of the original feed, the index of its first item in the joined feed, and the
    /// range of items within the original feed.
    package typealias Element = (feed: Int, start: Int, items: Range<Int>)

    private let ends: [Int]
    private var feed: Int
    private var rest: Range<Int>

    package init(of items: Range<Int>, _ ends: [Int]) {
        (self.ends, rest) = (ends, items)
        feed = ends.partitioningIndex { $0 > items.lowerBound }
    }

    package mutating func next() -> Element? {
        guard !rest.isEmpty, feed < ends.count else { return nil }
        let start = feed == 0 ? 0 : ends[feed - 1]
        let end = Swift.min(ends[feed], rest.upperBound)
        defer { (feed, rest) = (feed + 1, end..<rest.upperBound) }
        return (feed, start, rest.lowerBound - start..<end - start)
    }
}

extension FeedItem {
    /// Returns whether the caption, the URL or a detail contains the search text.
    ///
    /// For a local file, the URL is not searched, because the caption is the file name.
    fileprivate func has(_ needle: TextNeedle) -> Bool {
        if needle.isFound(in: Array(caption.utf8)) { return true }
        if let details, details.texts.contains(where: { needle.isFound(in: Array($0.utf8)) }) {
            return true
        }
        guard !isLocalFile, !url.hasPrefix("data:") else { return false }
        let url = URLParts.withoutLogin(url)
        return needle.isFound(in: Array(url.utf8))
            || needle.isFound(in: Array(PercentCoding.decoded(url).utf8))
    }
}

/// Lines or records that are searched as bytes.
package protocol SearchedRecords {
    var count: Int { get }

    /// Calls `body` with all bytes, including those between the records.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result

    func start(of record: Int) -> Int
    func end(of record: Int, in buffer: UnsafeBufferPointer<UInt8>) -> Int

    /// Returns the index of the last record that starts at or before a position.
    ///
    /// The search starts at the record `first`.
    func record(at place: Int, from first: Int) -> Int

    /// Returns the prefixes of escape sequences that may represent the search text, such as "%" or
    /// "\u".
    ///
    /// If a record contains one of them, it must be parsed.
    func escapes(hiding needle: TextNeedle) -> [[UInt8]]

    /// The bytes that may indicate a password or an escape sequence.
    ///
    /// If a record contains none of these bytes, it can be searched directly.
    var telltales: [UInt8] { get }

    /// Returns whether a record contains the search text, possibly in escape sequences.
    ///
    /// `place` is the position of a match in the bytes of the record, or nil. `isPlain` is true if
    /// the record contains none of the `telltales`.
    func has(
        _ needle: TextNeedle,
        _ record: UnsafeBufferPointer<UInt8>,
        at place: Int?,
        isPlain: Bool
    ) -> Bool
}

extension SearchedRecords {
    fileprivate func search(
        for needle: TextNeedle,
        in range: Range<Int>,
        found: (Int) -> Bool
    ) -> Bool {
        guard !range.isEmpty else { return true }
        return withBytes { buffer in
            let end = range.upperBound < count ? start(of: range.upperBound) : buffer.count
            var scanner = NeedleScanner(needle, buffer: buffer, range: 0..<end)
            var escapes = escapes(hiding: needle).map {
                EscapeScanner(escape: $0, buffer: buffer, end: end)
            }
            // Most feeds lack some of these bytes, so one search of the whole feed replaces a
            // search of each record.
            var telltales = telltales.map { EscapeScanner(escape: [$0], buffer: buffer, end: end) }
            var record = range.lowerBound
            var place = start(of: record)
            var match = scanner.next(from: place) ?? end
            while true {
                var hit = match
                for index in escapes.indices { hit = min(hit, escapes[index].next(from: place)) }
                guard hit < end else { return true }
                record = self.record(at: hit, from: record)
                let (start, recordEnd) = (start(of: record), self.end(of: record, in: buffer))
                let next = record + 1 < range.upperBound ? self.start(of: record + 1) : end
                // The bytes between two lines are blank lines or comments.
                if hit < recordEnd {
                    let bytes = UnsafeBufferPointer(rebasing: buffer[start..<recordEnd])
                    let place = match < recordEnd ? match - start : nil
                    let isPlain = telltales.indices.allSatisfy {
                        telltales[$0].next(from: start) >= recordEnd
                    }
                    if has(needle, bytes, at: place, isPlain: isPlain) {
                        guard found(record) else { return false }
                    }
                }
                record += 1
                guard next < end else { return true }
                place = next
                if match < place { match = scanner.next(from: place) ?? end }
            }
        }
    }
}

extension FeedLines: SearchedRecords {
    package func escapes(hiding needle: TextNeedle) -> [[UInt8]] { [Array("%".utf8)] }

    package var telltales: [UInt8] { [UInt8(ascii: "@")] }

    package func has(
        _ needle: TextNeedle,
        _ line: UnsafeBufferPointer<UInt8>,
        at place: Int?,
        isPlain: Bool
    ) -> Bool {
        let mayHideSecret = !isPlain || line.startsAsData
        if place != nil, !mayHideSecret { return true }
        guard mayHideSecret else {
            return needle.isFound(in: PercentCoding.decoded(line))
        }
        let parts = areWhole ? LineParts(whole: line) : LineParts(line)
        let target = String(decoding: line[parts.target], as: UTF8.self)
        let isData = target.prefix(5).lowercased() == "data:"
        var shown = isData ? [] : Array(URLParts.withoutLogin(target).utf8)
        shown.append(UInt8(ascii: "\n"))
        if let caption = parts.caption { shown += line[caption] }
        return needle.isFound(in: shown) || needle.isFound(in: PercentCoding.decoded(shown))
    }
}

/// Finds the start of an escape sequence and stores the last position found.
private struct EscapeScanner {
    let escape: [UInt8]
    let buffer: UnsafeBufferPointer<UInt8>
    let end: Int
    private var place = -1

    init(escape: [UInt8], buffer: UnsafeBufferPointer<UInt8>, end: Int) {
        (self.escape, self.buffer, self.end) = (escape, buffer, end)
    }

    mutating func next(from start: Int) -> Int {
        guard place < start else { return place }
        place = end
        var index = start
        while index < end, let base = buffer.baseAddress,
            let found = memchr(base + index, Int32(escape[0]), end - index)
        {
            let start = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if buffer[start..<end].starts(with: escape) {
                place = start
                break
            }
            index = start + 1
        }
        return place
    }
}
