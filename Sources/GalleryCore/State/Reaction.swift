/// The result of a user action: a message for the status bar, and effects.
///
/// Parts of the state return a reaction, because only `GalleryState` can show a message.
struct Reaction: Equatable, Sendable {
    let notice: Notice
    let effects: [Effect]

    init(_ text: String, effects: [Effect] = []) {
        notice = Notice(text)
        self.effects = effects
    }
}
