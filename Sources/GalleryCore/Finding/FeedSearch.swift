internal import Glibc
internal import ImageLoading

/// Finds the items of a feed that have a text in caption, file name or URL.
///
/// A text feed is searched in its bytes, without making items of its lines: a million lines take as
/// long as reading 70 MB. Escapes of URLs (`%20`) match what they stand for; logins match nothing.
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
        case .joined(let feeds, let ends):
            var place = ends.partitioningIndex { $0 > range.lowerBound }
            while place < feeds.count {
                let start = place == 0 ? 0 : ends[place - 1]
                guard start < range.upperBound else { break }
                let part =
                    max(
                        0,
                        range.lowerBound - start
                    )..<min(feeds[place].count, range.upperBound - start)
                let goesOn = feeds[place]
                    .searchOn(for: needle, in: part, offset: offset + start, found: found)
                guard goesOn else { return false }
                place += 1
            }
        }
        return true
    }
}

extension FeedItem {
    /// Whether caption or URL has the text; of a file of this machine its name, which is the caption.
    fileprivate func has(_ needle: TextNeedle) -> Bool {
        if needle.isFound(in: Array(caption.utf8)) { return true }
        guard !isLocalFile, !url.hasPrefix("data:") else { return false }
        let url = URLParts.withoutLogin(url)
        return needle.isFound(in: Array(url.utf8))
            || needle.isFound(in: Array(PercentCoding.decoded(url).utf8))
    }
}

extension FeedLines {
    fileprivate func search(
        for needle: TextNeedle,
        in range: Range<Int>,
        found: (Int) -> Bool
    ) -> Bool {
        guard !range.isEmpty else { return true }
        return withBytes { buffer in
            let end = range.upperBound < count ? start(of: range.upperBound) : buffer.count
            var scanner = NeedleScanner(needle, buffer, 0..<end)
            // Lines with escapes are looked at one by one: what they stand for isn't in the bytes.
            var escapes = ByteScanner(byte: UInt8(ascii: "%"), buffer: buffer, end: end)
            var line = range.lowerBound
            var place = start(of: line)
            var match = scanner.next(from: place) ?? end
            while true {
                let escape = escapes.next(from: place)
                let hit = min(match, escape)
                guard hit < end else { return true }
                line = self.line(at: hit, from: line)
                let next = line + 1 < range.upperBound ? start(of: line + 1) : end
                // What lies between two lines is blank, or a comment.
                if hit < self.end(of: line, in: buffer), has(needle, line, match, buffer) {
                    guard found(line) else { return false }
                }
                line += 1
                guard next < end else { return true }
                place = next
                if match < place { match = scanner.next(from: place) ?? end }
            }
        }
    }

    /// Whether a line has the text, which was found in it, or is in what its escapes stand for.
    private func has(
        _ needle: TextNeedle,
        _ line: Int,
        _ match: Int,
        _ buffer: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let start = start(of: line)
        let end = end(of: line, in: buffer)
        let bytes = UnsafeBufferPointer(rebasing: buffer[start..<end])
        let isFound = match < end
        let mayHideSecret = bytes.contains(UInt8(ascii: "@")) || bytes.starts(with: "data:".utf8)
        if isFound, !mayHideSecret { return true }
        guard mayHideSecret else {
            return needle.isFound(in: PercentCoding.decoded(bytes))
        }
        let parts = LineParts(bytes)
        let target = String(decoding: bytes[parts.target], as: UTF8.self)
        let isData = target.prefix(5).lowercased() == "data:"
        var shown = isData ? [] : Array(URLParts.withoutLogin(target).utf8)
        shown.append(UInt8(ascii: "\n"))
        if let caption = parts.caption { shown += bytes[caption] }
        return needle.isFound(in: shown) || needle.isFound(in: PercentCoding.decoded(shown))
    }
}

/// Finds a byte, and keeps where it was found for as long as that lies ahead.
private struct ByteScanner {
    let byte: UInt8
    let buffer: UnsafeBufferPointer<UInt8>
    let end: Int
    private var place = -1

    init(byte: UInt8, buffer: UnsafeBufferPointer<UInt8>, end: Int) {
        (self.byte, self.buffer, self.end) = (byte, buffer, end)
    }

    mutating func next(from start: Int) -> Int {
        guard place < start else { return place }
        place = end
        if start < end, let base = buffer.baseAddress,
            let found = memchr(base + start, Int32(byte), end - start)
        {
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
        return place
    }
}
