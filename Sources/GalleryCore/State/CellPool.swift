internal import Decoders
internal import ImageLoading

/// The reusable cells: exactly the visible items are bound, each to one slot.
///
/// There are as many slots as cells were ever visible at once. A slot whose item left the screen
/// takes a new one, and its `bind` cancels what it was loading; what is then left over is unbound.
struct CellPool: Equatable, Sendable {
    var slots: [CellSlot] = []
    private(set) var slotOfItem: [Int: Int] = [:]
    /// The items on the screen, in its order.
    private var shown: [Int] = []
    private var box = ScreenSize(columns: 1, rows: 1)
    private var capabilities: ScreenCapabilities
    /// The items that have no image, or not all of it, as far as is known.
    ///
    /// Those on the screen, and those that were there; however often one fails, it is one.
    private(set) var failedItems: Set<Int> = []
    /// What is known of the files of items that have left the screen: the memory cache knows images.
    private var factsOfItems: [Int: FileFacts] = [:]
    /// The items whose other versions have turned out too small.
    private var itemsWithoutVersions: Set<Int> = []
    /// How many images came from where, those that came again counted again.
    private(set) var arrivals: [ImageSource: Int] = [:]

    init(capabilities: ScreenCapabilities) {
        self.capabilities = capabilities
    }

    /// The slot an item is bound to.
    func slot(ofItem item: Int) -> CellSlot? {
        slotOfItem[item].map { slots[$0] }
    }

    /// The item that a slot is bound to; nil of a spare one.
    func item(ofSlot slot: Int) -> Int? {
        slots.indices.contains(slot) ? slots[slot].item : nil
    }

    /// The address of the item that a slot is bound to.
    func url(ofSlot slot: Int) -> String? {
        slots.indices.contains(slot) && slots[slot].item != nil ? slots[slot].url : nil
    }

    /// The version of an item that its cell loads; nil for the picture itself.
    func version(of item: Int, _ feedItem: FeedItem) -> PictureVersion? {
        itemsWithoutVersions.contains(item) ? nil : feedItem.version(for: target)
    }

    /// What is known of files, of those on the screen and those that have left it.
    var knownFacts: [Int: FileFacts] {
        slots.reduce(into: factsOfItems) { facts, slot in
            if let item = slot.item, slot.facts.size != nil { facts[item] = slot.facts }
        }
    }

    /// The items on the screen that have an image.
    var shownItems: [Int] { slots.compactMap { $0.cellImage == nil ? nil : $0.item } }

    /// Whether a load has begun so short a time ago that nothing is said of it yet.
    var needsTicks: Bool { slots.contains(where: \.needsTicks) }

    /// Counts a tick of the frame timer.
    mutating func tick() {
        for slot in slots.indices { slots[slot].tick(box: box, capabilities: capabilities) }
    }

    /// The number of items on the screen that have an image.
    var shownCount: Int { slots.count { $0.item != nil && $0.cellImage != nil } }

    /// Whether a bound item's image is still to come.
    var isWaiting: Bool {
        slots.contains { $0.item != nil && $0.load.isPending && !$0.load.isWaitingForServer }
    }

    /// Binds these items, in the order of the screen; returns what has to be loaded and cancelled.
    ///
    /// The last item first: of equal loads the newest request is served first, so that while one
    /// scrolls the rows that come in go before those that are about to leave, and a new screen fills
    /// from the top.
    mutating func show(_ items: [Int], of feed: Feed?, box: ScreenSize) -> [Effect] {
        shown = items
        let wanted = Set(items)
        let resized = box == self.box ? [] : resize(to: box)
        var spare = slots.indices.filter { slots[$0].item.map { !wanted.contains($0) } ?? true }
        // Slots that hold nothing are taken last: reusing a bound one cancels its load at no cost.
        spare.sort { slots[$0].item == nil && slots[$1].item != nil }
        var effects: [Effect] = []
        if let feed {
            let places = items.filter { slotOfItem[$0] == nil }
                .map { item in (item: item, slot: spare.popLast() ?? appendSlot()) }
            for place in places.reversed() {
                effects += bind(place.slot, to: place.item, feed[place.item])
            }
        }
        return effects + spare.flatMap { unbind($0) } + resized
    }

    /// Takes an event of a slot's load; an unknown or spare slot is ignored.
    ///
    /// Returns what has to be loaded, because the image came at a size that was wanted when its load
    /// began.
    mutating func apply(_ event: LoadEvent, toSlot slot: Int) -> [Effect] {
        guard slots.indices.contains(slot) else { return [] }
        slots[slot].apply(event, box: box, capabilities: capabilities)
        noteOutcome(slot)
        guard let item = slots[slot].item, case .finished(.success(let response)) = event
        else { return [] }
        arrivals[response.source, default: 0] += 1
        let target = target
        let isTooSmall = slots[slot].preview.isTooSmall(response.image, for: target)
        if isTooSmall { itemsWithoutVersions.insert(item) }
        guard isTooSmall || slots[slot].lacksPixels(for: target) else { return [] }
        return restart(slot, keepingLook: true).map { [$0] } ?? []
    }

    /// What is loaded again has still failed until it ends in another way.
    private mutating func noteOutcome(_ slot: Int) {
        guard let item = slots[slot].item, !slots[slot].load.isPending else { return }
        if slots[slot].isFault {
            failedItems.insert(item)
        } else {
            failedItems.remove(item)
        }
    }

    /// Shows every image in another way; returns what has to be loaded because there are too few
    /// pixels of it.
    ///
    /// What is being transferred goes on: its bytes make both sizes.
    mutating func restyle(_ capabilities: ScreenCapabilities) -> [Effect] {
        self.capabilities = capabilities
        let target = target
        for slot in slots.indices { slots[slot].render(box: box, capabilities: capabilities) }
        return restart(keepingLook: true) { slot in
            slot.lacksPixels(for: target) && !slot.isTransferring
        }
    }

    /// Shows a frame of an item, or the item's image again.
    mutating func show(frame: PixelBuffer?, ofItem item: Int) {
        guard let slot = slotOfItem[item] else { return }
        slots[slot].render(frame: frame, box: box, capabilities: capabilities)
    }

    /// Loads what failed again.
    mutating func retry() -> [Effect] {
        restart(retrying: true) { $0.canRetry }
    }

    /// Loads an item again; what is shown of it stays until it is there.
    mutating func reload(item: Int) -> [Effect] {
        restart(retrying: true, keepingLook: true) { $0.item == item }
    }

    /// Loads everything bound again, past the caches.
    mutating func refresh() -> [Effect] {
        restart(retrying: true, refreshing: true) { _ in true }
    }

    /// Loads what came from a server again, past the caches; what is shown stays, whatever comes of it.
    mutating func refreshQuietly(
        where condition: (CellSlot) -> Bool = { _ in true }
    ) -> [Effect] {
        restart(retrying: true, refreshing: true, keepsOnFailure: true) { slot in
            !slot.isLocalFile && !slot.load.isPending && condition(slot)
        }
    }

    /// Marks what is loading as cancelled.
    mutating func cancelAll() {
        for slot in slots.indices { slots[slot].cancel() }
    }

    /// Forgets what is known of an item whose file has changed.
    mutating func forget(_ item: Int) {
        factsOfItems[item] = nil
        failedItems.remove(item)
    }

    /// Forgets everything: another feed has come.
    mutating func unbindAll() -> [Effect] {
        failedItems = []
        itemsWithoutVersions = []
        defer { factsOfItems = [:] }
        return slots.indices.flatMap { unbind($0) }
    }

    private mutating func restart(
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
            if retrying { slots[index].item.map { _ = failedItems.remove($0) } }
            effects.append(effect)
        }
        return effects
    }

    /// Loads a slot's item again, at the size that is wanted now; nil if it can't be loaded.
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
        slots[slot].aim(at: target, usingVersions: !itemsWithoutVersions.contains(item))
        return .bind(
            slot: slot,
            item: item,
            targetSize: target,
            retrying: retrying,
            refreshing: refreshing
        )
    }

    private mutating func resize(to box: ScreenSize) -> [Effect] {
        self.box = box
        for slot in slots.indices {
            slots[slot].render(box: box, capabilities: capabilities)
        }
        return restart { _ in true }
    }

    private var target: PixelSize { capabilities.imageSize(filling: box) }

    private mutating func appendSlot() -> Int {
        slots.append(CellSlot())
        return slots.count - 1
    }

    private mutating func bind(_ slot: Int, to item: Int, _ feedItem: FeedItem) -> [Effect] {
        let effects = unbind(slot)
        slotOfItem[item] = slot
        let canLoad = slots[slot].bind(item: item, feedItem, factsOfItems[item])
        slots[slot].aim(at: target, usingVersions: !itemsWithoutVersions.contains(item))
        noteOutcome(slot)
        guard canLoad else { return effects }
        return [
            .bind(slot: slot, item: item, targetSize: target, retrying: false, refreshing: false)
        ]
    }

    /// Items have other numbers now; those that are gone have no slot any more.
    mutating func changeNumbers(_ numbers: FeedRenumbering) {
        shown = numbers(shown)
        slotOfItem = numbers(slotOfItem)
        failedItems = numbers(failedItems)
        factsOfItems = numbers(factsOfItems)
        for (item, slot) in slotOfItem { slots[slot].item = item }
    }

    mutating func unbind(_ slot: Int) -> [Effect] {
        guard let item = slots[slot].item else { return [] }
        slotOfItem[item] = nil
        if slots[slot].facts.byteCount != nil { factsOfItems[item] = slots[slot].facts }
        slots[slot].unbind()
        return [.unbind(slot: slot)]
    }
}
