import Decoders
import GalleryCore
import TerminalGraphics

/// Which pictures of a frame are shown in pixels, and what the terminal holds of them.
///
/// Pure: the one owner of the knowledge of what was sent, so that moving a picture sends none of
/// its bytes again. A picture is drawn in cells until its pixels are there.
struct PictureScreen {
    /// What has to be written so that the terminal shows a frame.
    struct Plan {
        /// Before the cells: pictures sent, old ones taken away.
        var before: [UInt8] = []
        /// After the cells: pictures put into their places.
        var after: [UInt8] = []
        /// The pictures that are sent, by fingerprint.
        var sent: [UInt64] = []
        /// Pictures whose pixels are to be encoded, the most wanted first.
        var missing: [PixelImage] = []
        /// Whether encoded pictures are left for the next time.
        var isIncomplete = false
        /// Whether other pictures stand on the screen than before, or elsewhere.
        var changesPlacements = false
        /// Whether rows may be moved by scrolling: pictures that are no characters don't move with
        /// them in every terminal.
        var allowsScrolling = true
    }

    /// A picture where it stands.
    private struct Placement: Hashable {
        let id: UInt32
        let row: Int
        let column: Int
        let box: ScreenSize

        /// Tells the placements of one picture apart; never 0.
        var number: UInt32 { UInt32(row) << 12 | UInt32(column) + 1 }
    }

    let graphics: GraphicsProtocol
    /// The pixels of the largest picture that is shown in pixels.
    var pixelLimit = Int.max
    private var table: PictureTable
    private var placements: Set<Placement> = []

    init(_ graphics: GraphicsProtocol, byteLimit: Int = PictureTable.standardByteLimit) {
        self.graphics = graphics
        table = PictureTable(byteLimit: byteLimit)
    }

    /// How many pictures are shown in pixels.
    var shownCount: Int { placements.count }

    /// How many the terminal has, shown or not.
    var heldCount: Int { graphics.keepsPictures ? table.count : placements.count }

    /// What the terminal keeps of them, decoded.
    var byteCount: Int { table.byteCount }

    /// Plans a frame, and changes the cells of what is shown in pixels.
    ///
    /// `ready` has the pictures that are encoded. Those that the terminal doesn't hold are sent only
    /// at rest, and as long as there is room for their bytes; into an empty line at least one.
    mutating func plan(
        _ frame: inout Frame,
        isResting: Bool,
        room: PictureFlow.Room,
        ready: (PixelImage) -> ReadyPicture?
    ) -> Plan {
        var plan = Plan()
        var shown: Set<Placement> = []
        var room = room
        table.beginFrame()
        for placed in frame.images where canShow(placed) && frame.isUncovered(placed) {
            let image = placed.image
            let known = table.use(image.fingerprint)
            let stands = known.map { placement($0, placed) }.map(placements.contains) ?? false
            // A picture that stays, or that the terminal has, costs next to nothing.
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
            let id = known ?? table.add(image.fingerprint, byteCount: image.size.pixelCount * 4)
            shown.insert(placement(id, placed))
            plan.sent.append(image.fingerprint)
            send(picture, id: id, placed, into: &plan)
        }
        replace(with: shown, in: &frame, &plan)
        return plan
    }

    private mutating func keepLastFrame(in placed: PlacedImage, _ shown: inout Set<Placement>) {
        guard let last = lastFrame(in: placed) else { return }
        table.use(id: last.id)
        shown.insert(last)
    }

    /// What stands in the place of a frame of an animation, and may stay until that is there.
    private func lastFrame(in placed: PlacedImage) -> Placement? {
        guard placed.image.isAnimationFrame else { return nil }
        return placements.first {
            $0.row == placed.row && $0.column == placed.column && $0.box == placed.image.box
        }
    }

    /// Whether showing a frame takes a picture off the screen that stands there now.
    func removesPictures(toShow frame: Frame) -> Bool {
        let staying = frame.images.lazy.filter { canShow($0) && frame.isUncovered($0) }
            .compactMap { placed in
                table.id(of: placed.image.fingerprint).map { placement($0, placed) }
                    ?? lastFrame(in: placed)
            }
        return !placements.isSubset(of: staying)
    }

    /// The terminal's screen was cleared, and with it the pictures: takes away what may be left.
    mutating func forget() -> [UInt8] {
        var bytes: [UInt8] = []
        if graphics.keepsPictures {
            for id in table.ids { KittyCommand.deleteImage(id: id, to: &bytes) }
        }
        table.removeAll()
        placements = []
        return bytes
    }

    private func canShow(_ placed: PlacedImage) -> Bool {
        placed.image.size.pixelCount <= pixelLimit && graphics.canShow(placed.image.box)
    }

    private func placement(_ id: UInt32, _ placed: PlacedImage) -> Placement {
        Placement(id: id, row: placed.row, column: placed.column, box: placed.image.box)
    }

    private func send(
        _ picture: ReadyPicture,
        id: UInt32,
        _ placed: PlacedImage,
        into plan: inout Plan
    ) {
        let box = placed.image.box
        let usesPlaceholders = graphics == .kittyPlaceholders
        switch (picture, graphics) {
        case (.shared(let picture), _):
            KittyCommand.transmitSharedMemory(
                id: id,
                name: picture.name,
                size: picture.size,
                format: .rgba,
                columns: box.columns,
                rows: box.rows,
                placeholder: usesPlaceholders,
                to: &plan.before
            )
        case (.encoded(let picture), .kittyPlaceholders), (.encoded(let picture), .kitty):
            KittyCommand.transmit(
                id: id,
                picture: picture,
                columns: box.columns,
                rows: box.rows,
                placeholder: usesPlaceholders,
                to: &plan.before
            )
        case (.encoded(let picture), .iterm):
            CursorMove.append(row: placed.row, column: placed.column, to: &plan.after)
            ITermCommand.image(
                picture,
                columns: box.columns,
                rows: box.rows,
                to: &plan.after
            )
        case (.encoded(let picture), .sixel):
            CursorMove.append(row: placed.row, column: placed.column, to: &plan.after)
            plan.after += picture.payload
        }
    }

    /// Brings what stands on the screen in line with what is to.
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
    /// Whether a picture may be so many cells large: placeholders count them up to a limit.
    func canShow(_ box: ScreenSize) -> Bool {
        self != .kittyPlaceholders || max(box.rows, box.columns) <= KittyPlaceholder.limit
    }

    /// Whether the terminal keeps what was sent, and shows it again by its number.
    var keepsPictures: Bool {
        switch self {
        case .kittyPlaceholders, .kitty: true
        case .iterm, .sixel: false
        }
    }
}

/// Moves the cursor to a cell.
enum CursorMove {
    /// Row and column count from 0.
    static func append(row: Int, column: Int, to bytes: inout [UInt8]) {
        bytes += Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
    }
}
