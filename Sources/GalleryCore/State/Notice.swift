/// A message in the status bar.
///
/// It is shown for four seconds, or until the next message.
package struct Notice: Equatable, Sendable {
    /// The severity of a message.
    package enum Kind: Hashable, Sendable {
        /// An action was completed.
        case note
        /// The user should pay attention to a problem.
        case warning
        /// An action has failed.
        case failure
    }

    let text: String
    let kind: Kind
    /// The number of ticks since the message was first shown.
    private var age = 0

    /// The number of ticks for which a message is shown: 4 seconds.
    private static let ticks = 40
    /// The number of ticks for which each piece is shown if the message is shown in pieces.
    private static let ticksPerPiece = 20
    /// The maximum number of pieces, which limits a message to 16 seconds.
    static let mostPieces = 8

    /// Creates a one-line message.
    package init(_ text: String, _ kind: Kind = .note) {
        self.text = text
        self.kind = kind
    }

    /// The index of the current piece if the message is shown in pieces.
    var piece: Int { age / Self.ticksPerPiece }

    /// Returns the message after another tick, or nil if it has expired.
    ///
    /// `pieceCount` is the number of pieces that are shown one after another.
    func afterTick(pieceCount: Int) -> Notice? {
        var next = self
        next.age += 1
        return next.age < max(Self.ticks, pieceCount * Self.ticksPerPiece) ? next : nil
    }
}
