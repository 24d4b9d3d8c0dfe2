/// The result of a user's action: a message for the status bar, and effects.
///
/// Parts of the state return a reaction, because only `GalleryState` owns the status bar.
struct Reaction: Equatable, Sendable {
    /// The message, or nil to keep the current message.
    var notice: Notice?
    var effects: [Effect] = []

    /// Creates a reaction with a message.
    init(_ text: String, _ kind: Notice.Kind = .note, effects: [Effect] = []) {
        notice = Notice(text, kind)
        self.effects = effects
    }

    /// Creates a reaction without a message.
    init(effects: [Effect] = []) {
        self.effects = effects
    }
}
