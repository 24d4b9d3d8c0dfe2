import Decoders

/// Decides which images of a frame are shown as pixels.
///
/// It also tracks the images stored in the terminal to avoid sending an image again when it moves.
/// This type has no side effects. Until the pixels of an image are available, it is drawn with
/// characters.
struct PictureScreen {
    /// The closures for resending half-resolution images in their final quality.
    struct Refinement {
        /// Returns whether the final quality of an image is better than its first quality.
        let isUseful: (PixelImage) -> Bool
        /// Returns the image in its final quality, or nil if it is not encoded yet.
        let ready: (PixelImage) -> ReadyPicture?
    }

    /// An image and its position on the screen.
    private struct Placement: Hashable {
        let id: UInt32
        let row: Int
        let column: Int
        let box: ScreenSize

        /// A nonzero number that distinguishes the placements of an image.
        var number: UInt32 { UInt32(row) << 12 | UInt32(column) + 1 }
    }

    package let graphics: GraphicsProtocol
    private var table: PictureTable
    private var placements: Set<Placement> = []

    init(_ graphics: GraphicsProtocol, byteLimit: Int = PictureTable.standardByteLimit) {
        self.graphics = graphics
        table = PictureTable(byteLimit: byteLimit)
    }

    /// The number of images shown as pixels.
    package var shownCount: Int { placements.count }

    /// The number of images stored in the terminal, whether visible or not.
    var heldCount: Int { graphics.keepsPictures ? table.count : placements.count }

    /// The decoded size of the images stored in the terminal, in bytes.
    package var byteCount: Int { table.byteCount }

    /// Plans how to show a frame, and replaces the cells of images that are shown as pixels.
    ///
    /// `ready` returns an encoded image, or nil if the image has not been encoded yet. An image
    /// that is not stored in the terminal is sent only if `isResting` is true and its bytes fit in
    /// `room`. If nothing is in flight, the first encoded image is sent regardless of its size.
    ///
    /// If `refinement` is not nil, images that were sent in half resolution are sent again, one at
    /// a time, when there is nothing else to send and nothing is in flight.
    package mutating func plan(
        _ frame: inout Frame,
        isResting: Bool,
        room: PictureFlow.Room,
        ready: (PixelImage) -> ReadyPicture?,
        refinement: Refinement? = nil
    ) -> Plan {
        var plan = Plan()
        var shown: Set<Placement> = []
        var room = room
        table.beginFrame()
        for placed in frame.images where canShow(placed) && frame.isUncovered(placed) {
            let image = placed.image
            let known = table.use(image.fingerprint)
            let stands = known.map { placement($0, placed) }.map(placements.contains) ?? false
            // An image that doesn't move or is stored in the terminal takes almost no bytes.
            if let id = known, stands || graphics.keepsPictures {
                shown.insert(placement(id, placed))
                continue
            }
            guard isResting else { continue }
            guard let picture = ready(image) else {
                plan.missing.append(image)
                keepLastFrame(in: placed, &shown)
                continue
            }
            let cost = picture.byteCountOnLine
            guard room.take(cost) else {
                plan.isIncomplete = true
                keepLastFrame(in: placed, &shown)
                continue
            }
            let id =
                known
                ?? table.add(
                    image.fingerprint,
                    byteCount: image.size.pixelCount * 4,
                    isHalf: picture.isHalf(of: image)
                )
            shown.insert(placement(id, placed))
            plan.sent.append(image.fingerprint)
            plan.send(picture, id: id, placed, by: graphics)
        }
        var replaced: UInt32?
        if graphics.keepsPictures, let refinement,
            let next = frame.images.first(where: { isUnfinished($0, shown, refinement) })
        {
            plan.hasUnfinished = true
            let isDone = isResting && plan.missing.isEmpty && !plan.isIncomplete
            if isDone, room.isLineEmpty {
                replaced = finish(next, frame, refinement.ready, &shown, &plan)
            }
        }
        replace(with: shown, in: &frame, &plan)
        if let replaced { KittyCommand.deleteImage(id: replaced, to: &plan.after) }
        return plan
    }

    /// Resends one visible half-resolution image in its final quality.
    ///
    /// Returns the number of the earlier image, which must be deleted, or nil if no image was sent.
    private mutating func finish(
        _ placed: PlacedImage,
        _ frame: Frame,
        _ ready: (PixelImage) -> ReadyPicture?,
        _ shown: inout Set<Placement>,
        _ plan: inout Plan
    ) -> UInt32? {
        let image = placed.image
        guard let picture = ready(image) else {
            plan.unfinished = image
            return nil
        }
        guard !picture.isHalf(of: image), let old = table.remove(image.fingerprint) else {
            table.acceptHalf(image.fingerprint)
            return nil
        }
        // With a new number, the earlier image stays visible until the terminal has received the
        // new one.
        let id = table.add(image.fingerprint, byteCount: image.size.pixelCount * 4)
        for placed in frame.images where shown.remove(placement(old, placed)) != nil {
            shown.insert(placement(id, placed))
        }
        plan.sent.append(image.fingerprint)
        plan.send(picture, id: id, placed, by: graphics)
        return old
    }

    /// Returns whether an image on the screen must be sent again in its final quality.
    private func isUnfinished(
        _ placed: PlacedImage,
        _ shown: Set<Placement>,
        _ refinement: Refinement
    ) -> Bool {
        let image = placed.image
        guard table.isHalf(image.fingerprint), !image.isAnimationFrame,
            let id = table.id(of: image.fingerprint), shown.contains(placement(id, placed))
        else { return false }
        return refinement.isUseful(image)
    }

    private mutating func keepLastFrame(in placed: PlacedImage, _ shown: inout Set<Placement>) {
        guard let last = lastFrame(in: placed) else { return }
        table.use(id: last.id)
        shown.insert(last)
    }

    /// Returns the image that is currently at the position of an animation frame.
    ///
    /// It stays visible until the new frame is ready.
    private func lastFrame(in placed: PlacedImage) -> Placement? {
        guard placed.image.isAnimationFrame else { return nil }
        return placements.first {
            $0.row == placed.row && $0.column == placed.column && $0.box == placed.image.box
        }
    }

    /// Returns whether showing a frame removes an image from the screen.
    func removesPictures(toShow frame: Frame) -> Bool {
        let staying = frame.images.lazy.filter { canShow($0) && frame.isUncovered($0) }
            .compactMap { placed in
                table.id(of: placed.image.fingerprint).map { placement($0, placed) }
                    ?? lastFrame(in: placed)
            }
        return !placements.isSubset(of: staying)
    }

    /// Forgets all images after the screen is cleared.
    ///
    /// Returns the bytes that delete any images still stored in the terminal.
    package mutating func forget() -> [UInt8] {
        var bytes: [UInt8] = []
        if graphics.keepsPictures {
            for id in table.ids { KittyCommand.deleteImage(id: id, to: &bytes) }
        }
        table.removeAll()
        placements = []
        return bytes
    }

    /// Forgets images that have not reached the terminal.
    ///
    /// Returns the bytes that delete what the terminal may have received of them.
    mutating func forget(_ fingerprints: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        for fingerprint in fingerprints {
            guard let id = table.remove(fingerprint) else { continue }
            if graphics.keepsPictures { KittyCommand.deleteImage(id: id, to: &bytes) }
        }
        return bytes
    }

    private func canShow(_ placed: PlacedImage) -> Bool {
        graphics.canShow(placed.image.box)
    }

    private func placement(_ id: UInt32, _ placed: PlacedImage) -> Placement {
        Placement(id: id, row: placed.row, column: placed.column, box: placed.image.box)
    }

    /// Replaces the images on the screen with the images to show.
    private mutating func replace(
        with shown: Set<Placement>,
        in frame: inout Frame,
        _ plan: inout Plan
    ) {
        if graphics == .kitty {
            for old in placements.subtracting(shown).sorted(by: Self.isBefore) {
                KittyCommand.deletePlacement(
                    id: old.id,
                    placement: old.number,
                    to: &plan.after
                )
            }
            for new in shown.subtracting(placements).sorted(by: Self.isBefore) {
                CursorMove.append(row: new.row, column: new.column, to: &plan.after)
                KittyCommand.place(
                    id: new.id,
                    placement: new.number,
                    columns: new.box.columns,
                    rows: new.box.rows,
                    to: &plan.after
                )
            }
        } else {
            for placement in shown {
                frame.replaceCells(
                    row: placement.row,
                    column: placement.column,
                    box: placement.box,
                    withPicture: placement.id
                )
            }
        }
        plan.allowsScrolling =
            graphics == .kittyPlaceholders || (placements.isEmpty && shown.isEmpty)
        plan.changesPlacements = placements != shown
        placements = shown
        if graphics.keepsPictures {
            for id in table.evict() { KittyCommand.deleteImage(id: id, to: &plan.after) }
        } else {
            _ = table.evict()
        }
    }

    private static func isBefore(_ left: Placement, _ right: Placement) -> Bool {
        (left.row, left.column, left.id) < (right.row, right.column, right.id)
    }
}

extension GraphicsProtocol {
    /// Returns whether an image may be as large as `box`.
    ///
    /// Placeholders support only a limited number of rows and columns.
    func canShow(_ box: ScreenSize) -> Bool {
        self != .kittyPlaceholders || max(box.rows, box.columns) <= KittyPlaceholder.limit
    }

    /// Whether the terminal stores images and shows them again by number.
    var keepsPictures: Bool {
        switch self {
        case .kittyPlaceholders, .kitty: true
        case .iterm, .sixel: false
        }
    }
}

/// A namespace for appending sequences that move the cursor to a cell.
enum CursorMove {
    /// Appends the sequence for a row and a column, both counted from 0.
    package static func append(row: Int, column: Int, to bytes: inout [UInt8]) {
        bytes += Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
    }
}
