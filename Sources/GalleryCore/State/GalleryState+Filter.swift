import TerminalUI

/// Filtering and sorting.
extension GalleryState {
    /// Filters while the user types; the filter does not change while a value is invalid.
    ///
    /// If a word turns out to be an unknown field, the word no longer counts as a search text.
    mutating func filter(by text: String) -> [Effect] {
        finding.filterText = text
        let (query, problems) = FilterQuery.parse(text)
        guard problems.allSatisfy(\.isUnknownField), query != finding.arrangement.filter else {
            return []
        }
        finding.arrangement.filter = query
        return arrange()
    }

    /// Filters by a complete text, without intermediate results.
    mutating func filter(byCommand text: String) -> [Effect] {
        if let problem = FilterQuery.parse(text).problems.first {
            notice = Notice(problem.text, .warning)
            return []
        }
        return filter(by: text)
    }

    /// Closes the filter prompt, unless a word is invalid.
    mutating func keepFilter(_ line: LinePrompt) -> [Effect] {
        if !FilterQuery.parse(line.text).problems.isEmpty { prompt.reopen(line) }
        return []
    }

    /// The lines shown in an empty grid if a filter is set.
    var linesWithoutMatches: [String] {
        // If a word is invalid, the applied filter differs from the text.
        let isWrong = !FilterQuery.parse(finding.filterText).problems.isEmpty
        let filter = isWrong ? "" : " \"\(finding.filterText)\""
        return ["Nothing matches\(filter).", "Esc clears the filter."]
    }

    /// Returns the appearance of the filter prompt.
    func filterLook(of line: LinePrompt) -> PromptLook {
        var look = PromptLook(
            label: "filter ",
            hints: [("Enter", "keeps"), ("Esc", "clears")]
        )
        let problems = FilterQuery.parse(line.text).problems
        look.wrongSpans = problems.map(\.span)
        if line.text.isEmpty {
            look.suggestion = "words, or format: size: is: mark: label: host:"
        } else if let problem = problems.first {
            look.outcome = (problem.text, .failure)
        } else if finding.waitingTicks == nil {
            look.outcome = ("\(itemCount) of \(feedCount)", .caption)
        }
        return look
    }

    mutating func clearFilter() -> [Effect] { filter(by: "") }

    /// Sorts the items by `key`.
    ///
    /// A random order has a seed, which is shown and can be used to repeat the order. Without a
    /// seed, each order is different.
    mutating func sort(by key: SortKey, sampleCount: Int? = nil, seed: UInt64? = nil) -> [Effect] {
        if key == .random {
            if seed == nil { finding.shuffleCount += 1 }
            let next = (settings.shuffleSeed &+ finding.shuffleCount) % Self.shuffleLimit
            finding.arrangement.seed = seed ?? next
        }
        finding.arrangement.key = key
        finding.arrangement.isReversed = false
        finding.arrangement.sampleCount = sampleCount
        let isRandom = key == .random
        notice = Notice(key.said + (isRandom ? ", seed \(finding.arrangement.seed)" : ""))
        return arrange()
    }

    /// The limit of the seeds, which keeps them easy to type.
    private static let shuffleLimit: UInt64 = 1_000_000

    /// Handles the key after `S`.
    mutating func pressInSort(_ key: Key) -> [Effect] {
        prompt.close()
        guard case .character(let letter) = key else {
            if key != .escape { notice = Notice("no such order: \(key.name)") }
            return []
        }
        if letter == "R" { return reverseOrder() }
        guard let key = SortKey.allCases.first(where: { $0.letter == letter }) else {
            notice = Notice("no such order: \(letter)")
            return []
        }
        return sort(by: key)
    }

    mutating func reverseOrder() -> [Effect] {
        finding.arrangement.isReversed.toggle()
        let isReversed = finding.arrangement.isReversed
        notice = Notice(
            isReversed ? "in reverse order" : "\(finding.arrangement.key.said) again"
        )
        return arrange()
    }

    /// Requests a new arrangement.
    mutating func arrange() -> [Effect] {
        finding.arrangementNumber += 1
        finding.waitingTicks = 0
        return [
            .finding(
                .arrange(finding.arrangement, known: knownItems, number: finding.arrangementNumber)
            )
        ]
    }

    mutating func take(_ order: ItemOrder, number: Int) -> [Effect] {
        guard number == finding.arrangementNumber else { return [] }
        finding.waitingTicks = nil
        let effects = show(order)
        // The matches are stored as positions, which have changed.
        guard let needle = finding.search?.needle else { return effects }
        return effects + find(needle, jumpingFrom: nil)
    }

    /// Shows a message if the request takes long.
    mutating func tickFinding() {
        guard let ticks = finding.waitingTicks else { return }
        finding.waitingTicks = ticks + 1
        if ticks == 10 { notice = Notice("sorting \(feedCount) images") }
    }

    /// The properties of items that a filter can test.
    private var knownItems: KnownItems {
        var known = KnownItems()
        known.facts = pool.knownFacts
        known.failed = pool.failedItems
        known.loaded = Set(known.facts.keys).union(pool.shownItems).subtracting(pool.failedItems)
        known.marked = choices.marks
        known.unread = reading.unread
        known.labels = choices.labels
        return known
    }
}
