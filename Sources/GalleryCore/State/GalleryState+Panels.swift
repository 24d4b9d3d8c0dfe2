import TerminalUI

/// Methods that show the statistics, the information and the trace.
///
/// These panels are shown beside the images or instead of them.
extension GalleryState {
    // MARK: Statistics

    /// Shows the statistics.
    ///
    /// If the statistics are already visible, shows the groups that did not fit. After the last
    /// group, hides the statistics.
    mutating func showNextStatistics() -> [Effect] {
        if panels.statistics == nil {
            // Only one panel fits beside the grid.
            let effects = panels.information == nil ? [] : hideInformation()
            panels.openStatistics()
            return effects + settle()
        } else if let next = StatisticsView(state: self).content.nextPosition {
            panels.showStatistics(at: next)
        } else {
            return hideStatistics()
        }
        return settle()
    }

    mutating func hideStatistics() -> [Effect] {
        panels.closeStatistics()
        return settle()
    }

    /// Whether the statistics are shown as a page that covers the entire screen.
    var isStatisticsPage: Bool { panels.isStatisticsPage(isImageOpen: detail != nil) }

    /// Handles a key on the statistics page, or returns nil if the page is not shown or the key
    /// does not scroll it.
    mutating func scrollStatistics(_ key: Key) -> [Effect]? {
        guard isStatisticsPage else { return nil }
        let content = StatisticsView(state: self).content
        guard let line = key.scrolled(from: content.firstLine, page: content.height) else {
            return nil
        }
        panels.showStatistics(at: content.scrolled(to: line))
        return []
    }

    // MARK: Information

    /// Shows the information panel.
    ///
    /// If the panel is already visible, shows the groups that did not fit. After the last group,
    /// hides the panel.
    mutating func showNextInformation() -> [Effect] {
        guard panels.information != nil else {
            guard selectedItem != nil else { return sayThatNothingIsSelected() }
            // Only one panel fits beside the grid.
            let effects = panels.statistics == nil ? [] : hideStatistics()
            panels.openInformation()
            return effects + settle() + resizeDetail()
        }
        guard let next = InformationView(state: self).content.nextPosition else {
            return hideInformation()
        }
        panels.showInformation(at: next)
        return []
    }

    /// Shows the information with whole texts on a page, or with folded texts again.
    mutating func toggleWholeInformation() -> [Effect] {
        let effects = panels.information == nil ? showNextInformation() : []
        panels.toggleWholeInformation()
        return effects
    }

    mutating func hideInformation() -> [Effect] {
        panels.closeInformation()
        return settle() + resizeDetail()
    }

    /// Whether the information is shown as a page that covers the entire screen.
    var isInformationPage: Bool {
        panels.isInformationPage(on: screen, isImageOpen: detail != nil)
    }

    /// Handles a key on the information page, or returns nil if the page is not shown.
    ///
    /// Some keys scroll the page or select another image. Any other key closes it.
    mutating func pressOnInformationPage(_ key: Key) -> [Effect]? {
        guard isInformationPage else { return nil }
        switch currentKeys.action(for: key) {
        case .information?: return showNextInformation()
        case .wholeInformation?: return toggleWholeInformation()
        case .copyPosition?: return copyPosition()
        case .move(.left)?: return look(at: max(0, grid.selection - 1))
        case .move(.right)?: return look(at: min(grid.selection + 1, max(0, itemCount - 1)))
        case .next?: return step(1)
        case .previous?: return step(-1)
        default: break
        }
        let content = InformationView(state: self).content
        let page = max(1, content.height - 1)
        guard let line = key.scrolled(from: content.firstLine, page: page) else {
            return hideInformation()
        }
        panels.showInformation(at: content.scrolled(to: line))
        return []
    }

    mutating func scrollInformation(by lines: Int) {
        let content = InformationView(state: self).content
        panels.showInformation(at: content.scrolled(to: content.firstLine + lines))
    }

    // MARK: Trace

    /// The maximum number of events to send in `Message.trace`, or 0 while the trace is hidden.
    ///
    /// If the trace is filtered, all recorded events are needed.
    package var wantedEventCount: Int {
        guard trace.isShown, fits, prompt.overlay == nil else { return 0 }
        return trace.filter == .all ? TraceView(state: self).lineCount : .max
    }

    mutating func toggleTrace() -> [Effect] {
        trace.toggle()
        return settle()
    }

    mutating func showNextTraceFilter() -> [Effect] {
        trace.showNextFilter()
        return settle()
    }

    /// Whether the trace is shown as a page that covers the entire screen.
    var isTracePage: Bool { trace.isPage(isImageOpen: detail != nil) }

    /// Whether a page covers the entire screen.
    var showsPage: Bool { isStatisticsPage || isInformationPage || isTracePage }
}
