internal import BitCollections
internal import ImageLoading

/// Writing the list down.
extension GalleryState {
    /// Has the list written as it is shown, or what is marked of it.
    mutating func write(to file: String, _ overwrites: Bool) -> [Effect] {
        let list = choices.marks.isEmpty ? order : markedOrder
        guard list.count > 0 else { return sayThatNothingIsSelected() }
        return [.outside(.write(file: file, list, overwrites: overwrites))]
    }

    /// The marked items as they are shown, then those that a filter hides.
    private var markedOrder: ItemOrder {
        var rest = choices.marks
        var items: [UInt32] = []
        for position in 0..<order.count {
            let item = order[position]
            if rest.remove(item) != nil { items.append(UInt32(item)) }
        }
        return ItemOrder(items: items + rest.map { UInt32($0) }, isAscending: false)
    }
}

/// Lines of a feed.
extension FeedItem {
    /// The item as a line of a plain text feed, with its end, from which the same item is read; nil of
    /// one that can't be tried, and of an address that no line can hold.
    ///
    /// A path stands as it is where it is one word, else as a URL. Of a caption, breaks become blanks
    /// and what is longer than a line may be is left out; the one that would be made of the address is
    /// not written.
    public var feedLine: [UInt8]? {
        guard problem == nil || isDeleted else { return nil }
        let path = PictureAddress.path(ofURL: url)
        let isPlain = path?.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 } ?? false
        let target = isPlain ? path ?? [] : Array(url.utf8)
        let limit = FeedLineParser.maximumLineByteCount
        guard !target.isEmpty, target.count <= limit, target.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        var line = target
        let text = writtenCaption
        if !text.isEmpty, text != FeedItem(url: url).writtenCaption {
            line.append(0x20)
            // Between characters, so that the rest is still UTF-8.
            for character in text {
                guard line.count + character.utf8.count <= limit else { break }
                line += Array(character.utf8)
            }
        }
        line.append(0x0A)
        return line
    }

    private var writtenCaption: String {
        let scalars = caption.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let words = String(text).split(whereSeparator: \.isWhitespace)
        return words.joined(separator: " ")
    }
}
