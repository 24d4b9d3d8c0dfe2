internal import Feeds

extension FeedReload {
    /// Returns a message about the reload, such as "3 new, 1 gone", or nil if nothing needs to be
    /// reported.
    ///
    /// The message also contains errors. If an automatic reload has the same errors as the previous
    /// reload (`lastFaults`), the message omits them.
    func notice(after lastFaults: [String]) -> Notice? {
        var parts: [String] = []
        let (added, gone) = (change?.numbers.addedCount ?? 0, change?.numbers.goneCount ?? 0)
        if added > 0, isNews { parts.append("\(CountText.grouped(added)) new") }
        if gone > 0, isNews { parts.append("\(CountText.grouped(gone)) gone") }
        let news = parts.joined(separator: ", ")
        guard let fault = faults.first else {
            if news.isEmpty { return isQuiet ? nil : Notice("nothing new") }
            return Notice(news)
        }
        // Errors that recur in automatic reloads are reported only the first time.
        if isQuiet, faults == lastFaults { return news.isEmpty ? nil : Notice(news) }
        let others = faults.count > 1 ? ", and \(faults.count - 1) more" : ""
        let start = news.isEmpty ? "not read again" : "\(news); not read again"
        return Notice("\(start)\(others): \(fault)", .warning)
    }
}
