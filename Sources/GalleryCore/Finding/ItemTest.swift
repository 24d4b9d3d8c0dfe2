internal import Decoders
internal import ImageLoading

/// Tests that look at one item after the other.
struct ItemTest {
    let feed: Feed
    let known: KnownItems
    let file: (FeedItem) -> LocalFileFacts?
    /// The file suffixes of formats that were asked for.
    private let suffixCache = SuffixCache()

    private final class SuffixCache {
        var names: [String: [[UInt8]]] = [:]
    }

    init(feed: Feed, known: KnownItems, file: @escaping (FeedItem) -> LocalFileFacts?) {
        (self.feed, self.known, self.file) = (feed, known, file)
    }

    func holds(_ test: FilterQuery.Test, _ item: Int) -> Bool {
        switch test {
        case .format(let name): isFormat(name, item)
        case .byteCount(let comparison, let limit):
            byteCount(item).map { comparison.holds($0, limit) } ?? false
        case .host(let needle):
            feed.withHost(of: item) { needle.isFound(in: UnsafeBufferPointer(rebasing: $0)) }
                ?? false
        case .label(let label): known.labels[PictureAddress.of(feed[item].url)] == label
        case .text, .failed, .loaded, .marked, .size: false
        }
    }

    private func byteCount(_ item: Int) -> Int? {
        if let count = known.facts[item]?.byteCount { return count }
        return feed.localItem(item).flatMap(file)?.byteCount
    }

    /// By what was found in the file, else by the suffix of its name.
    private func isFormat(_ name: String, _ item: Int) -> Bool {
        if let format = known.facts[item]?.format { return format.lowercased() == name }
        return feed.hasSuffix(in: suffixes(of: name), item)
    }

    /// The file suffixes that a name of a format stands for.
    private func suffixes(of name: String) -> [[UInt8]] {
        if let known = suffixCache.names[name] { return known }
        let format = DecoderRegistry.standard.formats.first { format in
            format.rawValue.lowercased() == name || format.displayName.lowercased() == name
                || format.fileSuffixes.contains(name)
        }
        let made = ([name] + (format?.fileSuffixes ?? [])).map { Array($0.utf8) }
        suffixCache.names[name] = made
        return made
    }
}
