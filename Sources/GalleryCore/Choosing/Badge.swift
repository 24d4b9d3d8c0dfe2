internal import Feeds
import TerminalUI

/// The symbols that show the mark and the label of an image, drawn before its caption.
struct Badge: Equatable, Sendable {
    var isMarked = false
    var label: UInt8?

    /// Returns the text of the badge: the mark symbol, the label number, both, or an empty string.
    func text(isASCII: Bool) -> String {
        let text = (isMarked ? (isASCII ? "*" : "◆") : "") + (label.map(String.init) ?? "")
        return text.isEmpty ? "" : " \(text) "
    }

    /// Returns the width of the badge in columns, or 0 if the image has neither a mark nor a label.
    func width(state: GalleryState) -> Int { shown(state).width }

    /// Draws the badge, starting at `column`, and returns its width in columns.
    @discardableResult
    func draw(
        row: Int,
        column: Int,
        isOnBar: Bool = false,
        into frame: inout Frame,
        state: GalleryState
    ) -> Int {
        let text = shown(state)
        let style = state.theme.badge(label: label, onBar: isOnBar)
        frame.draw(text, row: row, column: column, style: style)
        return text.width
    }

    private func shown(_ state: GalleryState) -> FrameText {
        state.text(text(isASCII: !state.capabilities.shows("◆")))
    }
}

extension Choices {
    /// Returns the badge of an image.
    func badge(ofItem item: Int, url: String) -> Badge {
        let label = labels.isEmpty ? nil : labels[PictureAddress.of(url)]
        return Badge(isMarked: isMarked(item), label: label)
    }
}

extension StatusFacts {
    /// The badge of the selected image.
    var badge: Badge {
        guard let item = state.selectedItem, let feed = state.currentFeed else {
            return Badge()
        }
        return state.choices.badge(ofItem: item, url: feed[item].url)
    }
}
