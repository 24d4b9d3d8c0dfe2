internal import Decoders
internal import ImageLoading

/// Tests that look at one item after the other.
struct ItemTest {
    let feed: Feed
    let known: KnownItems
    let file: (FeedItem) -> LocalFileFacts?

    func holds(_ test: FilterQuery.Test, _ item: Int) -> Bool {
        switch test {
        case .format(let name): isFormat(name, item)
        case .byteCount(let comparison, let limit):
            byteCount(item).map { comparison.holds($0, limit) } ?? false
        case .host(let needle):
            feed.host(of: item).map { needle.isFound(in: Array($0.utf8)) } ?? false
        case .label(let label): known.labels[PictureAddress.of(feed[item].url)] == label
        case .text, .failed, .loaded, .marked, .size: false
        }
    }

    private func byteCount(_ item: Int) -> Int? {
        if let count = known.facts[item]?.byteCount { return count }
        let feedItem = feed[item]
        return feedItem.isLocalFile ? file(feedItem)?.byteCount : nil
    }

    /// By what was found in the file, else by the suffix of its name.
    private func isFormat(_ name: String, _ item: Int) -> Bool {
        if let format = known.facts[item]?.format { return format.lowercased() == name }
        let suffix = feed.suffix(of: item)
        guard !suffix.isEmpty else { return false }
        if suffix == name { return true }
        guard let format = DecoderRegistry.standard.format(ofFileNamed: ".\(suffix)") else {
            return false
        }
        return format.rawValue.lowercased() == name || format.displayName.lowercased() == name
            || DecoderRegistry.standard.format(ofFileNamed: ".\(name)") == format
    }
}

extension Feed {
    /// The host of an item's URL in lower case; nil of a file.
    func host(of item: Int) -> String? {
        withTarget(of: item) { target in
            guard let slashes = target.firstRange(of: "://".utf8) else { return nil }
            let authority = target[slashes.upperBound...].prefix { !"/?#".utf8.contains($0) }
            let start =
                authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
            let host = authority[start...]
            return host.isEmpty ? nil : String(decoding: host, as: UTF8.self).lowercased()
        } ?? urlHost(of: item)
    }

    /// What an item is called, without making it of its line.
    func caption(of item: Int) -> String {
        withLine(of: item) { line in
            let parts = LineParts(line)
            guard parts.caption != nil || !line.contains(UInt8(ascii: "@")) else { return nil }
            if let caption = parts.caption { return String(decoding: line[caption], as: UTF8.self) }
            let path = line[parts.target].prefix {
                $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            }
            let name = path.suffix(while: { $0 != UInt8(ascii: "/") })
            guard !name.isEmpty else { return nil }
            guard name.contains(UInt8(ascii: "%")) else {
                return String(decoding: name, as: UTF8.self)
            }
            return String(decoding: PercentCoding.decoded(name), as: UTF8.self)
        } ?? self[item].caption
    }

    /// What stands behind the last dot of an item's file name, in lower case.
    func suffix(of item: Int) -> String {
        let own: String? = withTarget(of: item) { target in
            let path = target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            let name = path.suffix(while: { $0 != UInt8(ascii: "/") })
            guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
            return String(decoding: name[(dot + 1)...].prefix(8), as: UTF8.self).lowercased()
        }
        if let own { return own }
        let path = self[item].url.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").last ?? ""
        return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    /// Calls `body` with what a line names, as it stands there; nil of other feeds.
    private func withTarget<Result>(
        of item: Int,
        _ body: (UnsafeBufferPointer<UInt8>.SubSequence) -> Result?
    ) -> Result? {
        withLine(of: item) { body($0[LineParts($0).target]) }
    }

    private func withLine<Result>(
        of item: Int,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result?
    ) -> Result? {
        switch searchable {
        case .items: return nil
        case .lines(let lines):
            return lines.withBytes { buffer in
                let range = lines.start(of: item)..<lines.end(of: item, in: buffer)
                return body(UnsafeBufferPointer(rebasing: buffer[range]))
            }
        case .joined(let feeds, let ends):
            let place = ends.partitioningIndex { $0 > item }
            return feeds[place].withLine(of: place == 0 ? item : item - ends[place - 1], body)
        }
    }

    /// Of items that are no lines, or whose line has no host: that of the feed.
    private func urlHost(of item: Int) -> String? {
        let url = self[item].url
        guard !url.hasPrefix("file:"), !url.hasPrefix("data:") else { return nil }
        let host = URLParts(url).hostAndPort?.lowercased() ?? ""
        return host.isEmpty ? nil : host
    }
}

extension Collection where Element == UInt8, Self: BidirectionalCollection {
    /// The longest end of which all bytes satisfy a predicate.
    fileprivate func suffix(while predicate: (UInt8) -> Bool) -> SubSequence {
        var start = endIndex
        while start > startIndex, predicate(self[index(before: start)]) {
            start = index(before: start)
        }
        return self[start...]
    }
}
