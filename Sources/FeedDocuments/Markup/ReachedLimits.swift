/// The limits that a document reached, so that a part of its content was left out.
struct ReachedLimits: OptionSet {
    let rawValue: Int

    static let attributes = ReachedLimits(rawValue: 1)
    static let definitions = ReachedLimits(rawValue: 2)
    static let nesting = ReachedLimits(rawValue: 4)
    static let text = ReachedLimits(rawValue: 8)
    static let pictures = ReachedLimits(rawValue: 16)

    /// The remarks for the user.
    var remarks: [String] {
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
