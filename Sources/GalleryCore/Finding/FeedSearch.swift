internal import FeedDocuments
internal import Glibc
internal import ImageLoading

/// Finds the items of a feed that have a text in caption, file name or URL.
///
/// Lines and records are searched in their bytes, without making items of them: a million take as long
/// as reading 70 MB. Escapes match what they stand for; logins match nothing. Of a record all values
/// are searched.
extension Feed {
    /// Calls `found` with the items of a range that have the text, in their order, for as long as it
    /// returns true.
    func search(
        for needle: TextNeedle,
        in range: Range<Int>,
        found: (Int) -> Bool
    ) {
        _ = searchOn(for: needle, in: range, offset: 0, found: found)
    }

    /// Whether an item has the text.
    func item(_ item: Int, has needle: TextNeedle) -> Bool {
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

/// The parts of a range of items that come from each of the feeds that were joined.
struct JoinedParts: Sequence, IteratorProtocol {
    /// The number of the feed, the number that its first item has in the whole, and the items by their
    /// numbers in the feed.
    typealias Element = (feed: Int, start: Int, items: Range<Int>)

    private let ends: [Int]
    private var feed: Int
    private var rest: Range<Int>

    init(of items: Range<Int>, _ ends: [Int]) {
        (self.ends, rest) = (ends, items)
        feed = ends.partitioningIndex { $0 > items.lowerBound }
    }

    mutating func next() -> Element? {
        guard !rest.isEmpty, feed < ends.count else { return nil }
        let start = feed == 0 ? 0 : ends[feed - 1]
        let end = Swift.min(ends[feed], rest.upperBound)
        defer { (feed, rest) = (feed + 1, end..<rest.upperBound) }
        return (feed, start, rest.lowerBound - start..<end - start)
    }
}

extension FeedItem {
    /// Whether caption or URL has the text, or what the feed says besides; of a file of this machine its
    /// name, which is the caption.
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

/// Pieces of bytes that are searched: lines, records.
protocol SearchedRecords {
    var count: Int { get }

    /// All bytes, those between the records included.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result

    func start(of record: Int) -> Int
    func end(of record: Int, in buffer: UnsafeBufferPointer<UInt8>) -> Int

    /// The last record that begins at a place of the bytes or before it; `first` does.
    func record(at place: Int, from first: Int) -> Int

    /// The bytes that escapes begin with behind which the text may hide: what they stand for isn't in
    /// the bytes, so that records with one are looked at one by one.
    func escapes(hiding needle: TextNeedle) -> [[UInt8]]

    /// The bytes without which a record is plain: it hides no login, and all of it is written as it is.
    var telltales: [UInt8] { get }

    /// Whether a record has the text, which begins at a place of it, or is in what escapes stand for.
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
            var scanner = NeedleScanner(needle, buffer, 0..<end)
            var escapes = escapes(hiding: needle).map {
                EscapeScanner(escape: $0, buffer: buffer, end: end)
            }
            // Most feeds have none of some of them: one look at all of it tells, not one a record.
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
                // What lies between two lines is blank, or a comment.
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
    func escapes(hiding needle: TextNeedle) -> [[UInt8]] { [Array("%".utf8)] }

    var telltales: [UInt8] { [UInt8(ascii: "@")] }

    func has(
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

/// Finds the start of an escape, and keeps where it was found for as long as that lies ahead.
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
