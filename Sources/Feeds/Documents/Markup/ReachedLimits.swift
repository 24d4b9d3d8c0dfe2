/// The limits that a document exceeded; the content beyond these limits is omitted.
package struct ReachedLimits: OptionSet {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let attributes = ReachedLimits(rawValue: 1)
    package static let definitions = ReachedLimits(rawValue: 2)
    package static let nesting = ReachedLimits(rawValue: 4)
    package static let text = ReachedLimits(rawValue: 8)
    package static let pictures = ReachedLimits(rawValue: 16)

    /// Remarks for the user about the exceeded limits.
    package var remarks: [String] {
        let texts: [(ReachedLimits, String)] = [
            (.attributes, "left out the attributes after the first 256 of an element"),
            (.definitions, "left out the definitions of the DOCTYPE, which exceed 64 KiB"),
            (.nesting, "left out elements that are nested too deeply"),
            (.text, "cut a text after 1 MiB"),
            (.pictures, "left out the images after the first 1,000 of an entry"),
        ]
        return texts.filter { contains($0.0) }.map(\.1)
    }
}
