import TerminalUI

/// Methods that filter and sort the items.
extension GalleryState {
    /// The fields of the feed and of photos that a filter can test.
    var filterFields: FilterFields { FilterFields(of: currentFeed) }

    /// Filters by the text that the user is typing.
    mutating func filter(by text: String) -> [Effect] {
        finding.filter(by: text, filterFields) ? arrange() : []
    }

    /// Filters by a complete filter text, or shows an error about its first invalid word.
    mutating func filter(byCommand text: String) -> [Effect] {
        if let problem = FilterQuery.parse(text, filterFields).problems.first {
            notice = Notice(problem.text, .warning)
            return []
        }
        return filter(by: text)
    }

    /// Handles Enter in the filter prompt.
    ///
    /// If a word is invalid, the prompt is opened again.
    mutating func keepFilter(_ line: LinePrompt) -> [Effect] {
        if !FilterQuery.parse(line.text, filterFields).problems.isEmpty { prompt.reopen(line) }
        return []
    }

    /// The lines of text shown in an empty grid if a filter is set.
    var linesWithoutMatches: [String] {
        // If a word is invalid, the applied filter differs from the text.
        let isWrong = !FilterQuery.parse(finding.filterText, filterFields).problems.isEmpty
        let filter = isWrong ? "" : " \"\(finding.filterText)\""
        return ["Nothing matches\(filter).", "Esc clears the filter."]
    }

    /// Returns the appearance of the filter prompt.
    func filterLook(of line: LinePrompt) -> PromptLook {
        var look = PromptLook(
            label: "filter ",
            suggestion: line.candidates.joined(separator: "  "),
            hints: [("Enter", "keeps"), ("Esc", "clears")]
        )
        let problems = FilterQuery.parse(line.text, filterFields).problems
        look.wrongSpans = problems.map(\.span)
        if line.text.isEmpty, line.candidates.isEmpty {
            look.suggestion = "words, /pattern/, name:value; Tab: names"
        } else if let problem = problems.first {
            look.outcome = (problem.text, .failure)
        } else if !finding.isArranging {
            look.outcome = ("\(itemCount) of \(feedCount)", .caption)
        }
        return look
    }

    mutating func clearFilter() -> [Effect] { filter(by: "") }

    mutating func sort(by key: SortKey, sampleCount: Int? = nil, seed: UInt64? = nil) -> [Effect] {
        notice = finding.sort(
            by: key,
            sampleCount: sampleCount,
            seed: seed,
            shuffleSeed: settings.shuffleSeed
        )
        return arrange()
    }

    /// Handles the key that the user presses after `S` to choose a sort order.
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
        notice = finding.reverseOrder()
        return arrange()
    }

    mutating func arrange() -> [Effect] { finding.arrange(knownItems) }

    mutating func take(_ order: ItemOrder, number: Int) -> [Effect] {
        guard finding.endArranging(number) else { return [] }
        let effects = show(order)
        // The matches are stored as positions, which have changed.
        guard let needle = finding.search?.needle else { return effects }
        return effects + find(needle, jumpingFrom: nil)
    }

    /// The item properties that a filter can test and that the feed does not contain.
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
