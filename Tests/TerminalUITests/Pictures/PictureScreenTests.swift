import Decoders
import FoundationEssentials
import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct PictureScreenTests {
    private static let room = PictureFlow(isRemote: false).room

    private static func encoded(_ image: PixelImage) -> ReadyPicture? {
        let bytes = [UInt8](repeating: 65, count: 300)
        return .encoded(EncodedPicture(payload: bytes, form: .png, size: image.size))
    }

    private func plan(
        _ screen: inout PictureScreen,
        _ frame: Frame,
        isResting: Bool = true,
        room: PictureFlow.Room = room,
        ready: (PixelImage) -> ReadyPicture? = encoded
    ) -> (plan: PictureScreen.Plan, frame: Frame) {
        var frame = frame
        let plan = screen.plan(&frame, isResting: isResting, room: room, ready: ready)
        return (plan, frame)
    }

    private func pictureCells(_ frame: Frame) -> Int {
        frame.cells.count { $0.picturePart != nil }
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `an image is drawn in cells until its pixels are encoded`(graphics: GraphicsProtocol) {
        var screen = PictureScreen(graphics)

        let (plan, shown) = plan(&screen, PictureFrames.frame(), ready: { _ in nil })

        #expect(plan.missing.count == 3)
        #expect(plan.before.isEmpty && plan.after.isEmpty)
        #expect(shown == PictureFrames.frame())
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `an unchanged screen sends nothing`(graphics: GraphicsProtocol) {
        var screen = PictureScreen(graphics)
        let first = plan(&screen, PictureFrames.frame())
        #expect(first.plan.before.count + first.plan.after.count > 3 * 300)

        let second = plan(&screen, PictureFrames.frame(), ready: { _ in nil })

        #expect(second.plan.before.isEmpty && second.plan.after.isEmpty)
        #expect(second.plan.missing.isEmpty)
        #expect(second.frame == first.frame)
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `a frame of an animation stays until the next one is encoded`(
        graphics: GraphicsProtocol
    ) {
        var screen = PictureScreen(graphics)
        let first = plan(&screen, PictureFrames.frame())
        let next = PictureFrames.frame(numbers: [0, 9, 2], playing: 9)

        let waiting = plan(&screen, next, ready: { _ in nil })
        let shown = plan(&screen, next)

        #expect(waiting.plan.missing.count == 1)
        #expect(waiting.plan.before.isEmpty && waiting.plan.after.isEmpty)
        #expect(pictureCells(waiting.frame) == pictureCells(first.frame))
        #expect(shown.plan.sent.count == 1 && shown.plan.missing.isEmpty)
    }

    @Test(arguments: [GraphicsProtocol.kittyPlaceholders, .kitty])
    func `scrolling away and back sends no image again`(graphics: GraphicsProtocol) {
        var screen = PictureScreen(graphics)
        _ = plan(&screen, PictureFrames.frame())
        _ = plan(&screen, PictureFrames.frame(row: 5, numbers: [3, 4, 5]))

        let back = plan(&screen, PictureFrames.frame(row: 3), ready: { _ in nil })

        #expect(back.plan.missing.isEmpty)
        #expect(back.plan.before.isEmpty)
        #expect(back.plan.after.count < 600)
    }

    @Test(arguments: [GraphicsProtocol.iterm, .sixel])
    func `an image that moves is sent again if the terminal does not store images`(
        graphics: GraphicsProtocol
    ) {
        var screen = PictureScreen(graphics)
        _ = plan(&screen, PictureFrames.frame())

        let moved = plan(&screen, PictureFrames.frame(row: 3))

        #expect(moved.plan.after.count > 3 * 300)
        #expect(!moved.plan.allowsScrolling)
    }

    @Test func `placed images are deleted, and the cells below were never replaced`() {
        var screen = PictureScreen(.kitty)
        let first = plan(&screen, PictureFrames.frame())
        #expect(pictureCells(first.frame) == 0)

        let gone = plan(&screen, Frame(size: ScreenSize(columns: 20, rows: 10)))

        let text = String(decoding: gone.plan.after, as: UTF8.self)
        #expect(text.components(separatedBy: "a=d").count == 4)
    }

    @Test func `placeholders are in the cells of their image and scroll with them`() {
        var screen = PictureScreen(.kittyPlaceholders)

        let (plan, shown) = plan(&screen, PictureFrames.frame())

        #expect(pictureCells(shown) == 3 * 8)
        #expect(shown[2, 2].picturePart.map { [$0.row, $0.column] } == [1, 1])
        #expect(plan.allowsScrolling)
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `an image that is drawn over is removed from the screen`(graphics: GraphicsProtocol) {
        var screen = PictureScreen(graphics)
        _ = plan(&screen, PictureFrames.frame())
        var covered = PictureFrames.frame()
        covered.fill(FrameRect(row: 2, column: 3, rows: 1, columns: 5), style: .plain)

        let (_, shown) = plan(&screen, covered)

        for row in 1...2 {
            for column in 1...4 { #expect(shown[row, column] == covered[row, column]) }
        }
        #expect(screen.shownCount == 1)
    }

    @Test func `images without room wait, except for the first`() {
        var screen = PictureScreen(.sixel)
        var small = PictureFlow(isRemote: true).room
        _ = small.take(1 << 30)

        let none = plan(&screen, PictureFrames.frame(), room: small)
        #expect(none.plan.after.isEmpty)
        #expect(none.plan.isIncomplete)

        let huge: (PixelImage) -> ReadyPicture? = { image in
            let bytes = [UInt8](repeating: 65, count: 2 << 20)
            return .encoded(EncodedPicture(payload: bytes, form: .sixel, size: image.size))
        }
        let one = plan(&screen, PictureFrames.frame(), ready: huge)
        #expect(screen.shownCount == 1)
        #expect(one.plan.isIncomplete)
    }

    @Test func `during continuous scrolling only stored images are shown in pixels`() {
        var screen = PictureScreen(.kitty)
        _ = plan(&screen, PictureFrames.frame())

        let flying = plan(
            &screen,
            PictureFrames.frame(row: 3, numbers: [1, 7, 8]),
            isResting: false
        )

        #expect(flying.plan.missing.isEmpty)
        #expect(flying.plan.before.isEmpty)
        #expect(screen.shownCount == 1)
    }

    @Test func `the terminal stores no more than the limit`() {
        let oneImage = 40 * 40 * 4
        var screen = PictureScreen(.kitty, byteLimit: 7 * oneImage)
        var bytes: [UInt8] = []
        for step in 0..<20 {
            let numbers = (0..<3).map { step * 3 + $0 }
            let (plan, _) = plan(&screen, PictureFrames.frame(numbers: numbers))
            bytes += plan.before + plan.after
            #expect(screen.byteCount <= 7 * oneImage)
        }

        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.components(separatedBy: "d=I").count == 60 - 7 + 1)
    }

    @Test func `resetting deletes the stored images, and all are sent again`() {
        var screen = PictureScreen(.kittyPlaceholders)
        let first = plan(&screen, PictureFrames.frame())

        let forgotten = screen.forget()
        let again = plan(&screen, PictureFrames.frame())

        #expect(
            String(decoding: forgotten, as: UTF8.self).components(separatedBy: "d=I").count == 4
        )
        #expect(again.plan.before.count == first.plan.before.count)
    }

    /// An image encoded with half of its pixels in each direction, as through tmux.
    private static func halved(_ image: PixelImage) -> ReadyPicture? {
        let size = PixelSize(width: image.size.width / 2, height: image.size.height / 2)
        let bytes = [UInt8](repeating: 65, count: 300)
        return .encoded(EncodedPicture(payload: bytes, form: .png, size: size))
    }

    @Test func `images of half resolution are replaced one by one when the line is idle`() {
        var screen = PictureScreen(.kittyPlaceholders)
        var frame = PictureFrames.frame()
        let refinement = PictureScreen.Refinement(isUseful: { _ in true }, ready: Self.encoded)
        var room = Self.room
        let first = screen.plan(
            &frame,
            isResting: true,
            room: room,
            ready: Self.halved,
            refinement: refinement
        )
        #expect(first.sent.count == 3 && first.hasUnfinished)

        _ = room.take(10)
        frame = PictureFrames.frame()
        let busy = screen.plan(
            &frame,
            isResting: true,
            room: room,
            ready: Self.halved,
            refinement: refinement
        )
        #expect(busy.sent.isEmpty && busy.hasUnfinished)

        for count in 1...3 {
            frame = PictureFrames.frame()
            let idle = screen.plan(
                &frame,
                isResting: true,
                room: Self.room,
                ready: Self.halved,
                refinement: refinement
            )
            let deleted = String(decoding: idle.after, as: UTF8.self)
            #expect(idle.sent.count == 1 && deleted.contains("a=d,d=I"), "image \(count)")
            #expect(pictureCells(frame) == 3 * 8 && screen.heldCount == 3)
        }
        frame = PictureFrames.frame()
        let last = screen.plan(
            &frame,
            isResting: true,
            room: Self.room,
            ready: Self.halved,
            refinement: refinement
        )
        #expect(last.sent.isEmpty && !last.hasUnfinished && last.after.isEmpty)
    }

    @Test func `the final quality is encoded first, and images without a better one stay`() {
        var screen = PictureScreen(.kittyPlaceholders)
        var frame = PictureFrames.frame()
        let waiting = PictureScreen.Refinement(isUseful: { _ in true }, ready: { _ in nil })
        let useless = PictureScreen.Refinement(isUseful: { _ in false }, ready: Self.encoded)

        var plans: [PictureScreen.Plan] = []
        for refinement in [waiting, waiting, useless] {
            frame = PictureFrames.frame()
            plans.append(
                screen.plan(
                    &frame,
                    isResting: true,
                    room: Self.room,
                    ready: Self.halved,
                    refinement: refinement
                )
            )
        }

        #expect(plans[1].unfinished == PictureFrames.frame().images[0].image)
        #expect(plans[2].unfinished == nil && !plans[2].hasUnfinished && plans[2].sent.isEmpty)
    }
}
