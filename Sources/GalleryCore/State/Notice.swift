/// A message in the status bar; it goes away by itself, or with the next one.
public struct Notice: Equatable, Sendable {
    /// How bad it is.
    public enum Kind: Hashable, Sendable {
        /// Something was done.
        case note
        /// Something is not as it should be.
        case warning
        /// Something went wrong.
        case failure
    }

    let text: String
    let kind: Kind
    /// Four seconds.
    private var ticksLeft = 40

    /// Makes a message of one line.
    public init(_ text: String, _ kind: Kind = .note) {
        self.text = text
        self.kind = kind
    }

    /// The notice after a tick; nil when it has been there long enough.
    var afterTick: Notice? {
        var next = self
        next.ticksLeft -= 1
        return next.ticksLeft > 0 ? next : nil
    }
}
