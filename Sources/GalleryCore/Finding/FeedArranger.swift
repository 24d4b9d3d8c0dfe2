internal import BitCollections
internal import Decoders
package import Feeds
internal import ImageLoading

/// Filters, sorts and searches a feed.
///
/// These operations are slow for a million items, so they run on a separate thread. Results that
/// are likely to be needed again are kept. For example, if the user adds a character to a filter,
/// only the last word is searched for.
package struct FeedArranger: Sendable {
    /// An error thrown if a request is cancelled because its result is no longer needed.
    struct Cancelled: Error {}

    private let feed: Feed
    private let file: @Sendable (FeedItem) -> LocalFileFacts?
    private let photo: @Sendable (FeedItem) -> PhotoRecord?
    /// The recently searched strings, and the items that contain each of them.
    private var found: [(needle: TextNeedle, items: BitSet)] = []
    private var hosts: ItemClasses?
    private var suffixes: ItemClasses?
    private var sorted: (key: SortKey, seed: UInt64, items: [UInt32])?
    private static let mostTexts = 8
    private static let sliceCount = 8_192

    /// Creates an arranger for `feed`.
    ///
    /// `file` returns the size and the modification time of a local file. `photo` returns what
    /// the camera has written into a file, which it may have to read.
    package init(
        feed: Feed,
        file: @escaping @Sendable (FeedItem) -> LocalFileFacts?,
        photo: @escaping @Sendable (FeedItem) -> PhotoRecord? = { _ in nil }
    ) {
        (self.feed, self.file, self.photo) = (feed, file, photo)
    }

    /// Returns the items to show, or nil if the request is no longer needed.
    package mutating func order(
        _ arrangement: ItemArrangement,
        known: KnownItems,
        isCancelled: () -> Bool
    ) -> ItemOrder? {
        guard !arrangement.isPlain else { return ItemOrder(wholeOf: feed) }
        // The display order of the feed may be the reverse of the order in which its items are
        // stored.
        let isFeedOrder = arrangement.key == .feed
        let isReversed = arrangement.isReversed != (isFeedOrder && feed.isNewestFirst)
        do {
            let kept = try kept(by: arrangement.filter, known, isCancelled)
            var items: [UInt32]
            if isFeedOrder {
                if arrangement.isUnsorted, kept?.count == feed.count {
                    return ItemOrder(wholeOf: feed)
                }
                items = kept?.numbers ?? (0..<feed.count).map { UInt32($0) }
            } else {
                items = try sorted(arrangement, known, isCancelled)
                if let kept { items = items.filter { kept.contains(Int($0)) } }
            }
            if isReversed { items.reverse() }
            let folderCount = feed.folder?.folderCount ?? 0
            let folders = folderCount == 0 ? [] : items.filter { $0 < folderCount }
            if !folders.isEmpty { items.removeAll { $0 < folderCount } }
            if let count = arrangement.sampleCount { items = Array(items.prefix(count)) }
            items.insert(contentsOf: folders, at: 0)
            return ItemOrder(items: items, isAscending: isFeedOrder && !isReversed)
        } catch {
            return nil
        }
    }

    /// Searches for text, and passes the results to `answer`.
    ///
    /// The nearest match is reported as soon as it is found. All matches are reported at the end.
    package mutating func search(
        _ request: SearchRequest,
        isCancelled: () -> Bool,
        answer: (SearchAnswer) -> Void
    ) {
        let order = request.order
        guard order.count > 0 else { return answer(.all([])) }
        let isKnown = found.contains { $0.needle == request.needle }
        if order.isAscending, !isKnown {
            let first = order[min(request.start, order.count - 1)]
            let nearest = nearest(to: first, request, isCancelled)
            if let nearest { answer(.nearest(nearest)) }
        }
        do {
            let items = try items(with: request.needle, isCancelled)
            var positions: [UInt32] = []
            if order.isFeedOrder, order.isAscending {
                positions = items.numbers
            } else {
                for position in 0..<order.count where items.contains(order[position]) {
                    positions.append(UInt32(position))
                }
            }
            answer(.all(positions))
        } catch {
            // A newer search has replaced this one.
        }
    }

    /// Returns the position of the first match at or after the item `first`.
    ///
    /// If there is no such match, the search continues with the items before `first`.
    private func nearest(
        to first: Int,
        _ request: SearchRequest,
        _ isCancelled: () -> Bool
    ) -> Int? {
        for part in [first..<feed.count, 0..<first] {
            var start = part.lowerBound
            while start < part.upperBound {
                guard !isCancelled() else { return nil }
                let end = min(start + Self.sliceCount, part.upperBound)
                var position: Int?
                feed.search(for: request.needle, in: start..<end) { item in
                    position = request.order.position(of: item)
                    return position == nil
                }
                if let position { return position }
                start = end
            }
        }
        return nil
    }

    /// Returns all items that contain `needle`.
    private mutating func items(
        with needle: TextNeedle,
        _ isCancelled: () -> Bool
    ) throws -> BitSet {
        if let known = found.first(where: { $0.needle == needle }) { return known.items }
        var items = BitSet(reservingCapacity: feed.count)
        var start = 0
        while start < feed.count {
            guard !isCancelled() else { throw Cancelled() }
            let end = min(start + Self.sliceCount, feed.count)
            feed.search(for: needle, in: start..<end) { item in
                items.insert(item)
                return true
            }
            start = end
        }
        found.append((needle, items))
        if found.count > Self.mostTexts { found.removeFirst() }
        return items
    }

    private var dates: ItemDates { ItemDates(feed: feed, file: file, photo: photo) }

    // MARK: Filter

    /// Returns the items that pass a filter, or nil if all items pass.
    private mutating func kept(
        by filter: FilterQuery,
        _ known: KnownItems,
        _ isCancelled: () -> Bool
    ) throws -> BitSet? {
        guard !filter.isEmpty else { return nil }
        var kept = BitSet(0..<feed.count)
        // Tests of single items run last because they are slow and the other tests leave fewer
        // items.
        let terms =
            filter.terms.filter { !$0.testsSingleItems } + filter.terms.filter(\.testsSingleItems)
        for term in terms {
            if let items = try items(of: term.test, known, isCancelled) {
                if term.isExcluded { kept.subtract(items) } else { kept.formIntersection(items) }
            } else {
                let test = ItemTest(known: known, dates: dates)
                var count = 0
                kept = try kept.filter { item in
                    count += 1
                    // A test may read a file.
                    if count.isMultiple(of: 64), isCancelled() { throw Cancelled() }
                    return test.holds(term.test, item) != term.isExcluded
                }
            }
        }
        return kept
    }

    /// Returns the items that pass a test, or nil if each item must be tested individually.
    private mutating func items(
        of test: FilterQuery.Test,
        _ known: KnownItems,
        _ isCancelled: () -> Bool
    ) throws -> BitSet? {
        switch test {
        case .text(let needle): try items(with: needle, isCancelled)
        case .failed: BitSet(known.failed)
        case .loaded: BitSet(known.loaded)
        case .marked: known.marked
        case .unread: known.unread
        case .size(let comparison, let width, let height):
            Self.items(known) {
                comparison.holds($0.width, width) && comparison.holds($0.height, height)
            }
        case .width(let comparison, let width):
            Self.items(known) { comparison.holds($0.width, width) }
        case .height(let comparison, let height):
            Self.items(known) { comparison.holds($0.height, height) }
        case .ratio(let ratio):
            Self.items(known) {
                $0.height > 0 && ratio.contains(Double($0.width) / Double($0.height))
            }
        case .host(let needle): try itemsOnHosts(with: needle, isCancelled)
        case .format(let name): try items(ofFormat: name, known, isCancelled)
        case .byteCount, .label, .pattern, .date, .field: nil
        }
    }

    /// Returns the items whose dimensions are known and pass a test.
    private static func items(_ known: KnownItems, where holds: (PixelSize) -> Bool) -> BitSet {
        var items = BitSet()
        for (item, facts) in known.facts where facts.size.map(holds) ?? false { items.insert(item) }
        return items
    }

    private mutating func itemsOnHosts(
        with needle: TextNeedle,
        _ isCancelled: () -> Bool
    ) throws -> BitSet {
        let hosts = try self.hosts ?? ItemClasses.hosts(of: feed, isCancelled)
        self.hosts = hosts
        return hosts.items { needle.isFound(in: $0) }
    }

    /// Returns the items whose images have the format `name`.
    ///
    /// If the content of a file is known, it determines the format. Otherwise, the file suffix
    /// determines the format.
    private mutating func items(
        ofFormat name: String,
        _ known: KnownItems,
        _ isCancelled: () -> Bool
    ) throws -> BitSet {
        let suffixes = try self.suffixes ?? ItemClasses.suffixes(of: feed, isCancelled)
        self.suffixes = suffixes
        let wanted = Set(FormatNames.suffixes(of: name))
        var items = suffixes.items { wanted.contains(Array($0)) }
        for (item, facts) in known.facts {
            guard let format = facts.format else { continue }
            if format.lowercased() == name { items.insert(item) } else { items.remove(item) }
        }
        return items
    }

    // MARK: Sort

    private mutating func sorted(
        _ arrangement: ItemArrangement,
        _ known: KnownItems,
        _ isCancelled: () -> Bool
    ) throws -> [UInt32] {
        if let sorted, sorted.key == arrangement.key, sorted.seed == arrangement.seed {
            return sorted.items
        }
        let sorter = ItemSorter(known: known, dates: dates)
        let items = try sorter.sorted(by: arrangement.key, seed: arrangement.seed) {
            if isCancelled() { throw Cancelled() }
        }
        // An order that depends on the properties of loaded images may change, so it is not kept.
        let isStable = [.name, .host, .random].contains(arrangement.key)
        sorted = isStable ? (arrangement.key, arrangement.seed, items) : nil
        return items
    }
}

extension FilterQuery.Term {
    /// Whether each item is tested individually, which may read a file.
    fileprivate var testsSingleItems: Bool {
        switch test {
        case .byteCount, .label, .pattern, .date, .field: true
        case .text, .format, .host, .failed, .loaded, .marked, .unread, .size, .width, .height,
            .ratio:
            false
        }
    }
}

extension BitSet {
    /// The item numbers in ascending order.
    fileprivate var numbers: [UInt32] {
        var numbers: [UInt32] = []
        numbers.reserveCapacity(count)
        for item in self { numbers.append(UInt32(item)) }
        return numbers
    }
}
