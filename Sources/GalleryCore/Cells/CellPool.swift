internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The reusable cells (slots), each of which shows one visible item.
///
/// The number of slots is the largest number of cells that were visible at once. When an item
/// leaves the screen, its slot is bound to a new item, which cancels the load of the old item. If
/// there is no new item, the slot is unbound.
struct CellPool: Equatable, Sendable {
    var slots: [CellSlot] = []
    private(set) var slotOfItem: [Int: Int] = [:]
    /// The visible items in screen order.
    private(set) var shown: [Int] = []
    private(set) var area: ImageArea
    /// The items whose image is missing or incomplete because of an error.
    ///
    /// The set includes items that are no longer visible. An item that fails several times is
    /// counted only once.
    private(set) var failedItems: Set<Int> = []
    /// The file properties of items that are no longer visible.
    ///
    /// The properties are kept because the images may still be in the memory cache.
    private var factsOfItems: [Int: FileFacts] = [:]
    /// The items that load the original image, because a smaller version from the feed had too few
    /// pixels.
    private var itemsWithoutVersions: Set<Int> = []
    /// The number of loaded images from each source, such as the disk cache.
    ///
    /// An image is counted each time it is loaded.
    private(set) var arrivals: [ImageSource: Int] = [:]

    init(capabilities: ScreenCapabilities, style: TileStyle = .whole) {
        area = ImageArea(
            box: ScreenSize(columns: 1, rows: 1),
            capabilities: capabilities,
            style: style,
            centersPixels: true
        )
    }

    /// Returns the slot of an item, or nil if the item is not visible.
    func slot(ofItem item: Int) -> CellSlot? {
        slotOfItem[item].map { slots[$0] }
    }

    /// Returns the item of a slot, or nil if the slot is unbound.
    func item(ofSlot slot: Int) -> Int? {
        slots.indices.contains(slot) ? slots[slot].item : nil
    }

    /// Returns the URL of a slot's item, or nil if the slot is unbound.
    func url(ofSlot slot: Int) -> String? {
        slots.indices.contains(slot) && slots[slot].item != nil ? slots[slot].url : nil
    }

    /// Returns the version of an image that the item's cell loads, or nil for the original image.
    ///
    /// The feed may offer the image in several sizes.
    func version(of item: Int, _ feedItem: FeedItem) -> PictureVersion? {
        itemsWithoutVersions.contains(item) ? nil : feedItem.version(for: area.targetSize)
    }

    /// The known file properties of all items, including items that are not visible.
    var knownFacts: [Int: FileFacts] {
        slots.reduce(into: factsOfItems) { facts, slot in
            if let item = slot.item, slot.shown.facts.size != nil { facts[item] = slot.shown.facts }
        }
    }

    /// Whether a pending load has not shown its placeholder yet.
    var needsTicks: Bool { slots.contains(where: \.needsTicks) }

    /// Handles a tick of the frame timer.
    mutating func tick() {
        for slot in slots.indices { slots[slot].tick(in: area) }
    }

    /// Assigns slots to the visible items, and returns the loads to start and to cancel.
    ///
    /// `items` are in screen order, and are bound from last to first. Among requests of equal
    /// priority, the newest is served first, so the first items load first. A new screen therefore
    /// fills from the top, and new rows load before rows that are about to scroll off the screen.
    mutating func show(_ items: [Int], of feed: Feed?, box: ScreenSize) -> [Effect] {
        shown = items
        let wanted = Set(items)
        let resized = box == area.box ? [] : resize(to: box)
        var spare = slots.indices.filter { slots[$0].item.map { !wanted.contains($0) } ?? true }
        // Bound slots are reused first, because rebinding a slot also cancels its load.
        spare.sort { slots[$0].item == nil && slots[$1].item != nil }
        var effects: [Effect] = []
        if let feed {
            let places = items.filter { slotOfItem[$0] == nil }
                .map { item in (item: item, slot: spare.popLast() ?? appendSlot()) }
            for place in places.reversed() {
                effects += bind(place.slot, to: place.item, of: feed)
            }
        }
        return effects + spare.flatMap { unbind($0) } + resized
    }

    /// Handles an event from a slot's load.
    ///
    /// Events for unknown or unbound slots are ignored. If the loaded image has too few pixels for
    /// the current cell size, the load of a larger image is returned.
    mutating func apply(_ event: LoadEvent, toSlot slot: Int) -> [Effect] {
        guard slots.indices.contains(slot) else { return [] }
        slots[slot].apply(event, in: area)
        noteOutcome(slot)
        guard let item = slots[slot].item, case .finished(.success(let response)) = event
        else { return [] }
        noteArrival(from: response.source)
        let isTooSmall = slots[slot].preview.isTooSmall(response.image, for: area.targetSize)
        if isTooSmall { itemsWithoutVersions.insert(item) }
        guard isTooSmall || slots[slot].lacksPixels(for: area) else { return [] }
        return restart(slot, keepingLook: true).map { [$0] } ?? []
    }

    /// Counts a loaded image.
    mutating func noteArrival(from source: ImageSource) { arrivals[source, default: 0] += 1 }

    /// Updates `failedItems` when a load has ended.
    ///
    /// While a failed load is repeated, its item still counts as failed.
    mutating func noteOutcome(_ slot: Int) {
        guard let item = slots[slot].item, !slots[slot].load.isPending else { return }
        if slots[slot].isFault {
            failedItems.insert(item)
        } else {
            failedItems.remove(item)
        }
    }

    /// Changes the display mode of all images.
    ///
    /// Returns new loads for images that need more pixels. Running transfers continue, because the
    /// received bytes can be used for both sizes.
    mutating func restyle(_ capabilities: ScreenCapabilities) -> [Effect] {
        area.capabilities = capabilities
        return render()
    }

    /// Changes how images fill their tiles.
    ///
    /// Returns new loads for images that need more pixels.
    mutating func show(in style: TileStyle) -> [Effect] {
        area.style = style
        for slot in slots.indices { slots[slot].tileColumns = nil }
        return render()
    }

    private mutating func render() -> [Effect] {
        let area = area
        for slot in slots.indices { slots[slot].render(in: area) }
        return restart(keepingLook: true) { slot in
            slot.lacksPixels(for: area) && !slot.isTransferring
        }
    }

    /// Shows an animation frame of an item.
    ///
    /// If `frame` is nil, the still image is shown again.
    mutating func show(frame: PixelBuffer?, ofItem item: Int) {
        guard let slot = slotOfItem[item] else { return }
        slots[slot].render(frame: frame, in: area)
    }

    /// Marks running loads as cancelled.
    mutating func cancelAll() {
        for slot in slots.indices { slots[slot].cancel() }
    }

    /// Discards the file properties and the failure of an item whose file has changed.
    mutating func forget(_ item: Int) {
        factsOfItems[item] = nil
        failedItems.remove(item)
    }

    /// Unbinds all slots, and discards the file properties and failures of all items.
    ///
    /// Call this method when the feed is replaced.
    mutating func unbindAll() -> [Effect] {
        failedItems = []
        itemsWithoutVersions = []
        defer { factsOfItems = [:] }
        return slots.indices.flatMap { unbind($0) }
    }

    /// Reloads the visible items whose slots meet `condition`, starting with the last item on the
    /// screen.
    mutating func restart(
        retrying: Bool = false,
        refreshing: Bool = false,
        keepingLook: Bool = false,
        keepsOnFailure: Bool = false,
        where condition: (CellSlot) -> Bool
    ) -> [Effect] {
        var effects: [Effect] = []
        for item in shown.reversed() {
            guard let index = slotOfItem[item], condition(slots[index]) else { continue }
            let effect = restart(
                index,
                retrying: retrying,
                refreshing: refreshing,
                keepingLook: refreshing || keepingLook,
                keepsOnFailure: keepsOnFailure
            )
            guard let effect else { continue }
            if retrying { failedItems.remove(item) }
            effects.append(effect)
        }
        return effects
    }

    /// Returns the effect that reloads the item of a slot at the current size.
    ///
    /// Returns nil if the item can't be loaded.
    private mutating func restart(
        _ slot: Int,
        retrying: Bool = false,
        refreshing: Bool = false,
        keepingLook: Bool,
        keepsOnFailure: Bool = false
    ) -> Effect? {
        guard let item = slots[slot].item,
            slots[slot].restart(keepingLook: keepingLook, keepsOnFailure: keepsOnFailure)
        else { return nil }
        slots[slot].aim(at: area, usingVersions: !itemsWithoutVersions.contains(item))
        return .bind(
            slot: slot,
            item: item,
            targetSize: targetSize(ofSlot: slot),
            retrying: retrying,
            refreshing: refreshing
        )
    }

    /// Returns the size at which the image or the cover of a slot is loaded.
    private func targetSize(ofSlot slot: Int) -> PixelSize {
        slots[slot].folder == nil
            ? area.targetSize : area.capabilities.imageSize(filling: area.box)
    }

    private mutating func resize(to box: ScreenSize) -> [Effect] {
        area.box = box
        for slot in slots.indices { slots[slot].render(in: area) }
        return restart { _ in true }
    }

    private mutating func appendSlot() -> Int {
        slots.append(CellSlot())
        return slots.count - 1
    }

    private mutating func bind(_ slot: Int, to item: Int, of feed: Feed) -> [Effect] {
        let effects = unbind(slot)
        slotOfItem[item] = slot
        let canLoad = slots[slot].bind(
            item: item,
            feed[item],
            factsOfItems[item],
            isFolder: feed.isFolder(item)
        )
        slots[slot].aim(at: area, usingVersions: !itemsWithoutVersions.contains(item))
        noteOutcome(slot)
        guard canLoad else { return effects }
        return [
            .bind(
                slot: slot,
                item: item,
                targetSize: targetSize(ofSlot: slot),
                retrying: false,
                refreshing: false
            )
        ]
    }

    /// Replaces the item numbers with those of a reloaded feed.
    ///
    /// The slots of removed items must already be unbound.
    mutating func changeNumbers(_ numbers: FeedRenumbering) {
        shown = numbers(shown)
        slotOfItem = numbers(slotOfItem)
        failedItems = numbers(failedItems)
        factsOfItems = numbers(factsOfItems)
        itemsWithoutVersions = numbers(itemsWithoutVersions)
        for (item, slot) in slotOfItem { slots[slot].item = item }
    }

    mutating func unbind(_ slot: Int) -> [Effect] {
        guard let item = slots[slot].item else { return [] }
        slotOfItem[item] = nil
        if slots[slot].shown.facts.byteCount != nil { factsOfItems[item] = slots[slot].shown.facts }
        slots[slot].unbind()
        return [.unbind(slot: slot)]
    }
}
