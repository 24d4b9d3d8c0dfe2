import Decoders
import ImageLoading
import ImageLoadingTesting
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Messages as a person, a loader and a terminal gone mad might send them.
enum RandomMessage {
    static func next(
        _ generator: inout SeededGenerator,
        viewport: DetailViewport?
    ) -> Message {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<45: .input(.key(key(&generator)))
        case 45..<55: .input(.mouse(mouse(&generator)))
        case 55..<60: .resize(screen(&generator))
        case 60..<62: .feed(feed(&generator))
        case 62..<85: .slot(Int.random(in: -2..<90, using: &generator), update(&generator))
        case 85..<92: detail(&generator, viewport: viewport)
        case 92..<94: .statistics(.loading(LoadingStatistics()))
        case 94: .tick
        case 95: .changeExpected(url: "http://h/\(Int.random(in: 0..<9, using: &generator))")
        case 96: reload(&generator)
        case 97: .refreshDue
        case 98: growth(&generator)
        case 99 where Bool.random(using: &generator):
            .kept(load: Int.random(in: 0..<90, using: &generator), update(&generator))
        default: .notice("note\u{1B}[2J 日本")
        }
    }

    private static func key(_ generator: inout SeededGenerator) -> Key {
        let keys: [Key] = [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .escape,
            .backspace, .control("l"), .control("f"), .control("q"), .character("\u{7}"),
        ]
        let characters = "hjklgG:0123456789% []abcCyxXzZsTR?rqnp+-=w日"
        guard Bool.random(using: &generator), let key = keys.randomElement(using: &generator) else {
            return .character(characters.randomElement(using: &generator) ?? "h")
        }
        return key
    }

    private static func mouse(_ generator: inout SeededGenerator) -> Mouse {
        let row = Int.random(in: -1..<70, using: &generator)
        let column = Int.random(in: -1..<210, using: &generator)
        let all: [Mouse] = [
            .wheelUp, .wheelDown, .press(row: row, column: column),
            .doublePress(row: row, column: column), .drag(row: row, column: column),
            .middle(row: row, column: column), .right(row: row, column: column),
        ]
        return all.randomElement(using: &generator) ?? .wheelUp
    }

    private static func screen(_ generator: inout SeededGenerator) -> ScreenSize {
        ScreenSize(
            columns: Int.random(in: 1...120, using: &generator),
            rows: Int.random(in: 1...40, using: &generator)
        )
    }

    private static func feed(_ generator: inout SeededGenerator) -> Result<Feed, FeedError> {
        guard Int.random(in: 0..<5, using: &generator) > 0 else {
            return .failure(FeedError(name: "x\u{1B}]0;y\u{7}", fault: "is broken"))
        }
        let count = [0, 1, 2, 7, 40, 1000].randomElement(using: &generator) ?? 0
        let items = (0..<count).map { number in
            FeedItem(
                url: "http://h/\(number)",
                caption: number.isMultiple(of: 3) ? "日本\u{202E}語 \u{1B}[31m \(number)" : "e\u{301}",
                problem: number.isMultiple(of: 5) ? "unknown scheme ftp:" : nil
            )
        }
        return .success(Feed(items: items, title: "random"))
    }

    /// Returns a new version of a watched feed with random changes, independent of the current
    /// feed.
    private static func growth(_ generator: inout SeededGenerator) -> Message {
        var pictures = WatchedPictures(title: "w")
        let count = Int.random(in: 0...60, using: &generator)
        for number in 0..<count { pictures.write("/w/\(number).png") }
        for number in 0..<count where Int.random(in: 0..<9, using: &generator) == 0 {
            pictures.delete("/w/\(number).png")
        }
        guard let change = pictures.takeChange() else { return .tick }
        return .feedChanged(change.feed, items: Array(0..<count))
    }

    /// Returns a reload, which may not belong to the current feed.
    private static func reload(_ generator: inout SeededGenerator) -> Message {
        guard let old = try? feed(&generator).get(), let new = try? feed(&generator).get() else {
            return .reloaded(FeedReload(change: nil, faults: ["x\u{1B}[2J"]))
        }
        return .reloaded(FeedReload(change: .init(from: old, to: new)))
    }

    private static func update(_ generator: inout SeededGenerator) -> LoadEvent {
        switch Int.random(in: 0..<6, using: &generator) {
        case 3: .preview(DecodedImage(picture(&generator)))
        case 0: .queued
        case 1: .progress(progress(&generator))
        case 2: .failed(.notFound)
        default: .image(DecodedImage(picture(&generator)), ImageSource.allCases[0])
        }
    }

    private static func progress(_ generator: inout SeededGenerator) -> LoadProgress {
        let expected = [nil, 0, 1, 1000, -5, Int.max].randomElement(using: &generator) ?? nil
        return LoadProgress(
            received: Int.random(in: 0...2_000_000, using: &generator),
            expected: expected
        )
    }

    private static func picture(_ generator: inout SeededGenerator) -> PixelBuffer {
        .plain(
            Int.random(in: 0...30, using: &generator),
            Int.random(in: 0...30, using: &generator)
        )
    }

    private static func detail(
        _ generator: inout SeededGenerator,
        viewport: DetailViewport?
    ) -> Message {
        let picture = picture(&generator)
        if let viewport, Bool.random(using: &generator) {
            let cells = CellImage(picture, viewport: viewport, capabilities: .color)
            return .detail(.rendered(cells, viewport))
        }
        // Of some there are fewer pixels than in the file.
        let size = Bool.random(using: &generator) ? picture.size : PixelSize(width: 60, height: 60)
        let image = DecodedImage(picture, of: picture.size.isEmpty ? picture.size : size)
        switch Int.random(in: 0..<6, using: &generator) {
        case 4: return .detail(.fullSize(.image(image, .disk)))
        case 5: return .detail(.fullSize(.failed(.notFound)))
        case 3: return .detail(.load(.image(image, .disk)))
        case 2: return .detail(.load(.preview(image)))
        case 0: return .detail(.load(.progress(progress(&generator))))
        case 1: return .detail(.load(.failed(.notFound)))
        default:
            return .detail(.load(.image(.plain(picture.size.width, picture.size.height), .disk)))
        }
    }
}
