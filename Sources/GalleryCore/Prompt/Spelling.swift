/// A namespace for suggesting corrections of misspelled words.
package enum Spelling {
    /// Returns a hint such as `; did you mean "theme"?` if one of the words is similar enough to
    /// `word`.
    ///
    /// Returns an empty string otherwise.
    package static func hint(for word: String, among words: some Sequence<String>) -> String {
        let distances = words.map { ($0, distance(word, $0)) }
        guard let nearest = distances.min(by: { $0.1 < $1.1 }),
            nearest.1 <= max(1, word.count / 3)
        else { return "" }
        return "; did you mean \"\(nearest.0)\"?"
    }

    /// Returns the number of edits that turn `one` into `other`.
    ///
    /// An edit inserts, deletes or replaces a character, or swaps two adjacent characters.
    package static func distance(_ one: String, _ other: String) -> Int {
        // Words are truncated to 64 characters because a much longer word is not a misspelling and
        // would take time to compare.
        let (left, right) = (Array(one.prefix(64)), Array(other.prefix(64)))
        var last: [Int] = []
        var before = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var line = [row + 1]
            for (column, candidate) in right.enumerated() {
                let replaced = before[column] + (character == candidate ? 0 : 1)
                var least = min(replaced, before[column + 1] + 1, line[column] + 1)
                if row > 0, column > 0, character == right[column - 1],
                    left[row - 1] == candidate
                {
                    least = min(least, last[column - 1] + 1)
                }
                line.append(least)
            }
            (last, before) = (before, line)
        }
        return before[right.count]
    }
}
