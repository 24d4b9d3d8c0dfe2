internal import ImageLoading
import TerminalUI

/// The state of the panel with details of the selected image.
struct InformationPanel: Equatable, Sendable {
    var position = PanelPosition()
    /// The item whose details were requested, or nil before the first request.
    var item: Int?
    /// The details found in files and caches, or nil until they arrive.
    var found: PictureInformation?
    /// Whether the details may have changed.
    var isOutdated = false
    /// Whether long texts are shown whole, on a page that covers the screen.
    var isWhole = false
}

/// The state of the panel with statistics.
struct StatisticsPanel: Equatable, Sendable {
    var position = PanelPosition()
    /// The network traffic since the panel was opened.
    var history = NetworkHistory()
}

/// The state of the statistics and information panels.
///
/// A panel is shown beside the images, or as a page if there is too little space.
struct PanelsState: Equatable, Sendable {
    /// The statistics panel, or nil while it is hidden.
    private(set) var statistics: StatisticsPanel?
    /// The information panel, or nil while it is hidden.
    private(set) var information: InformationPanel?
    /// The first screen column of the panel beside the grid, or nil if there is no such panel.
    private(set) var column: Int?

    /// The minimum screen width in columns for showing a panel beside an open image.
    private static let leastScreenBesideImage = 90

    /// Whether the network traffic chart must be updated at each tick.
    var needsTicks: Bool { statistics?.history.needsTicks == true }

    mutating func openStatistics() { statistics = StatisticsPanel() }

    mutating func closeStatistics() { statistics = nil }

    mutating func openInformation() { information = InformationPanel() }

    mutating func closeInformation() { information = nil }

    /// Shows long texts whole or folded, from the top.
    mutating func toggleWholeInformation() {
        information?.isWhole.toggle()
        information?.position = PanelPosition()
    }

    /// Handles a tick.
    ///
    /// `received` is the number of bytes received since the program started.
    mutating func tick(received: Int) { statistics?.history.tick(received: received) }

    // MARK: Place

    /// Returns the layout of the grid with space for the open panel, and updates `column`.
    ///
    /// If no panel is open or there is too little space for one, the layout is unchanged.
    mutating func takeRoom(from grid: GridLayout) -> GridLayout {
        // A panel that does not fit becomes a page that covers the grid.
        let isOpen = statistics != nil || information != nil
        let rest = isOpen ? grid.leaving(PanelArea.leastWidth) : nil
        column = rest?.panelColumn
        return rest ?? grid
    }

    /// Returns whether the statistics are shown as a page that covers the entire screen.
    ///
    /// A page is used if an image is open or there is too little space beside the grid.
    func isStatisticsPage(isImageOpen: Bool) -> Bool {
        statistics != nil && (column == nil || isImageOpen)
    }

    /// Returns whether the information is shown as a page that covers the entire screen.
    func isInformationPage(on screen: ScreenSize, isImageOpen: Bool) -> Bool {
        guard let information else { return false }
        return information.isWhole || (isImageOpen ? !isBesideImage(on: screen) : column == nil)
    }

    /// Returns the number of columns available for an open image.
    func columnsForImage(on screen: ScreenSize) -> Int {
        screen.columns - (isBesideImage(on: screen) ? PanelArea.leastWidth : 0)
    }

    private func isBesideImage(on screen: ScreenSize) -> Bool {
        information != nil && screen.columns >= Self.leastScreenBesideImage
    }

    // MARK: Scrolling

    mutating func showStatistics(at position: PanelPosition) { statistics?.position = position }

    mutating func showInformation(at position: PanelPosition) { information?.position = position }

    /// Scrolls the open panels back to the top.
    ///
    /// Call this method when the size of the screen changes.
    mutating func scrollToStart() {
        statistics?.position = PanelPosition()
        information?.position = PanelPosition()
    }

    // MARK: Details of the selected image

    /// Requests the details of the selected image if they are outdated or not shown yet.
    mutating func follow(selectedItem item: Int?) -> [Effect] {
        guard let panel = information else { return [] }
        if item != panel.item {
            information = InformationPanel(item: item, isWhole: panel.isWhole)
        }
        guard let item, item != panel.item || panel.isOutdated else { return [] }
        information?.isOutdated = false
        return [.readInformation(item: item)]
    }

    /// Marks the details as outdated when a load ends because the load changed the caches.
    mutating func note(_ event: LoadEvent, ofItem item: Int?) {
        guard case .finished = event, let item, information?.item == item else { return }
        information?.isOutdated = true
    }

    /// Shows the details found in files and caches, unless another item is selected now.
    mutating func take(_ found: PictureInformation, ofItem item: Int) {
        if information?.item == item { information?.found = found }
    }
}
