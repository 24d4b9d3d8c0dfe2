@testable import Feeds
import VirtualTerminal

@testable import GalleryCore
@testable import TerminalUI

/// A gallery whose searches, filters and orders are worked out at once.
struct FindingGallery {
    var gallery: Gallery
    private var arranger: FeedArranger
    /// The other effects.
    private(set) var effects: [Effect] = []

    init(_ captions: [String], columns: Int = 80) {
        gallery = Gallery(count: 0, columns: columns)
        let items = captions.enumerated()
            .map { FeedItem(url: "http://h/\($0).jpg", caption: $1) }
        let feed = Feed(items: items, title: "f")
        arranger = FeedArranger(feed: feed) { _ in nil }
        gallery.send(.feed(.success(feed)))
    }

    var state: GalleryState { gallery.state }
    var lines: [String] { gallery.lines }
    var lastLine: String { gallery.lines.last ?? "" }

    mutating func press(_ text: String) {
        for character in text { press(.character(character)) }
    }

    mutating func press(_ keys: Key...) {
        for key in keys { carryOut(gallery.press(key)) }
    }

    mutating func paste(_ text: String) {
        carryOut(gallery.send(.input(.paste(text))))
    }

    private mutating func carryOut(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .finding(.arrange(let arrangement, let known, let number)):
                guard let order = arranger.order(arrangement, known: known, isCancelled: { false })
                else { continue }
                carryOut(gallery.send(.finding(.arranged(order, number: number))))
            case .finding(.find(let request, let number)):
                var answers: [SearchAnswer] = []
                arranger.search(request, isCancelled: { false }) { answers.append($0) }
                for answer in answers {
                    carryOut(gallery.send(.finding(.found(answer, number: number))))
                }
            default: self.effects.append(effect)
            }
        }
    }
}
