internal import ImageLoading
import TerminalUI

/// The settings for load cancellation and for the lanes that show the transfer slots.
package struct LaneSettings: Hashable, Sendable {
    /// Whether the lanes are shown from the start.
    package var areShown = false
    /// The number of transfer slots.
    package var slotCount = 6
    /// Whether a load is cancelled when its cell leaves the screen.
    package var cancels = true
    /// Whether the gallery runs an automatic demonstration of cancellation (`DemoStory`).
    package var tellsStory = false
    /// The image sizes in bytes that are known before the images are requested.
    package var byteCounts = ItemByteCounts()

    /// Creates settings: lanes are hidden, there are six slots, and loads are cancelled.
    package init() {}
}

extension GallerySettings {
    /// Demonstrates cancellation (`DemoStory`) instead of scrolling automatically.
    ///
    /// Has no effect if the lanes are hidden or automatic scrolling is off.
    package mutating func tellStory() {
        guard lanes.areShown, scrollsByItself else { return }
        scrollsByItself = false
        lanes.tellsStory = true
    }
}

/// The sizes of a feed's items in bytes, known in advance.
package struct ItemByteCounts: Hashable, Sendable {
    /// The sizes of the first items.
    private let first: [Int]
    /// The mean size of the other items, or nil if it is unknown.
    private let mean: Int?

    /// Creates sizes from the known sizes of the first items and the mean size of the other items.
    ///
    /// By default, no size is known.
    package init(first: [Int] = [], mean: Int? = nil) {
        self.first = first
        self.mean = mean
    }

    /// The size of an item, or nil if it is unknown.
    subscript(item: Int) -> Int? { first.indices.contains(item) ? first[item] : mean }
}

/// The state of the lanes on the screen, and of the loads that they show.
struct LanesState: Equatable, Sendable {
    /// The edge of the grid at which cells left the screen.
    enum Edge: Equatable, Sendable {
        case top, bottom
    }

    /// The number of loads that were cancelled at an edge of the grid.
    ///
    /// The number is shown on the screen for one second.
    struct Flash: Equatable, Sendable {
        let edge: Edge
        var count: Int
        var age = 0
    }

    /// The load of a slot in the cell pool.
    private struct SlotLoad: Equatable, Sendable {
        let number: Int
        let url: String
    }

    private(set) var isShown: Bool
    /// Whether a load is cancelled when its cell leaves the screen.
    private(set) var cancels: Bool
    private(set) var transfers: TransferLanes
    /// The running demonstration, or nil if none is running.
    private(set) var story: DemoStory?
    /// The cancellations that are currently shown at an edge of the grid.
    private(set) var flash: Flash?
    /// The number of times the grid was scrolled.
    private(set) var scrollCount = 0
    /// The number of ticks of 100 ms during which a transfer was running.
    private var busyTicks = 0
    private var loadOfSlot: [Int: SlotLoad] = [:]
    private var nextNumber = 0
    /// The URLs of loads that continue although their cells have left the screen, keyed by load
    /// number.
    ///
    /// If such a cell returns to the screen, it shares the load.
    private var kept: [Int: String] = [:]
    /// The URLs of loaded images whose sizes were known before the request.
    ///
    /// These images are probably in a cache. In a feed without known sizes, the set is empty.
    private var loaded: Set<String> = []

    init(_ settings: LaneSettings) {
        isShown = settings.areShown
        cancels = settings.cancels
        transfers = TransferLanes(count: settings.slotCount)
        if settings.tellsStory { story = DemoStory() }
    }

    /// Whether the lanes show something that changes or disappears over time.
    var needsTicks: Bool { isShown && (flash != nil || transfers.needsTicks) }

    /// The total time during which a transfer was running.
    var busyTime: Duration { GalleryState.tickInterval * busyTicks }

    /// The number of loads that continue although their cells have left the screen.
    var keptCount: Int { kept.count }

    // MARK: The user

    mutating func toggle() {
        isShown.toggle()
        flash = nil
        transfers.clearBreaks()
    }

    /// Turns cancellation on or off, and returns the required effects.
    ///
    /// Turning cancellation on also cancels the loads whose cells have left the screen.
    mutating func toggleCancelling() -> [Effect] {
        cancels.toggle()
        guard cancels else { return [] }
        for load in kept.keys where !isOfCell(load) { transfers.cancel(load) }
        kept = [:]
        return [.loading(.cancelKept)]
    }

    /// Starts the demonstration from the beginning, or stops it.
    ///
    /// In both cases, cancellation is turned on.
    mutating func toggleStory() -> [Effect] {
        story = story == nil ? DemoStory() : nil
        return cancels ? [] : toggleCancelling()
    }

    /// Stops the demonstration when the user takes control.
    mutating func endStory() { story = nil }

    /// Handles a tick of the demonstration, and returns the new top row and the effects.
    mutating func tickStory(
        topRow: Int,
        lastTopRow: Int,
        isMissing: Bool
    ) -> (topRow: Int, effects: [Effect]) {
        let row = story?.tick(topRow: topRow, lastTopRow: lastTopRow, isMissing: isMissing)
        let isChanging = story.map { $0.cancels != cancels } ?? false
        return (row ?? topRow, isChanging ? toggleCancelling() : [])
    }

    /// Handles a tick of the frame timer; `isTransferring` is true while a transfer is running.
    mutating func tick(isTransferring: Bool) {
        transfers.tick()
        if isTransferring { busyTicks += 1 }
        flash?.age += 1
        if let age = flash?.age, age >= TransferLanes.visibleTicks { flash = nil }
    }

    // MARK: Loads

    /// Records the load of a slot, and returns the effects to perform first.
    ///
    /// If the slot is already loading this URL, for example at another size, its load continues.
    mutating func bind(slot: Int, url: String, caption: String, byteCount: Int?) -> [Effect] {
        if let load = loadOfSlot[slot], load.url == url, transfers.isPending(load.number) {
            return []
        }
        let effects = unbind(slot: slot)
        if let load = kept.first(where: { $0.value == url })?.key {
            loadOfSlot[slot] = SlotLoad(number: load, url: url)
            return effects
        }
        nextNumber += 1
        loadOfSlot[slot] = SlotLoad(number: nextNumber, url: url)
        transfers.start(
            nextNumber,
            caption: caption,
            byteCount: byteCount,
            isCached: loaded.contains(url)
        )
        return effects
    }

    /// Cancels the load of a slot whose cell has left the screen.
    ///
    /// If cancellation is off, the load is kept.
    mutating func unbind(slot: Int) -> [Effect] {
        guard let load = loadOfSlot.removeValue(forKey: slot) else { return [] }
        guard !cancels, transfers.isPending(load.number) else {
            transfers.cancel(load.number)
            return []
        }
        let isNew = kept.updateValue(load.url, forKey: load.number) == nil
        return isNew ? [.loading(.keep(slot: slot, load: load.number))] : []
    }

    /// Handles an event from the load of a slot.
    mutating func take(_ event: LoadEvent, ofSlot slot: Int) {
        guard let slotLoad = loadOfSlot[slot] else { return }
        let load = slotLoad.number
        if case .finished = event { kept[load] = nil }
        note(event, of: load, url: slotLoad.url)
        transfers.take(event, of: load)
    }

    /// Handles an event from a load that continues although its cell has left the screen.
    mutating func take(_ event: LoadEvent, ofKept load: Int) {
        guard let url = kept[load] else { return }
        if case .finished = event { kept[load] = nil }
        note(event, of: load, url: url)
        // If the cell has returned to the screen, its own load reports the same events. That load
        // continues even if the kept load is cancelled because too many loads are kept.
        guard !isOfCell(load) else { return }
        transfers.take(event, of: load)
    }

    private mutating func note(_ event: LoadEvent, of load: Int, url: String) {
        guard case .finished(.success) = event, transfers.knowsSize(of: load) else { return }
        loaded.insert(url)
    }

    /// Discards the record of cached images after the disk cache is cleared.
    mutating func forgetCached() { loaded = [] }

    /// Returns whether a load is for a cell on the screen.
    private func isOfCell(_ load: Int) -> Bool { loadOfSlot.values.contains { $0.number == load } }

    // MARK: Scrolling

    /// Records that the grid was scrolled, and that `count` loads were cancelled as a result.
    mutating func noteScroll(cancelling count: Int, at edge: Edge) {
        scrollCount += 1
        guard count > 0 else { return }
        let earlier = flash?.edge == edge ? flash?.count ?? 0 : 0
        flash = Flash(edge: edge, count: earlier + count)
    }
}
