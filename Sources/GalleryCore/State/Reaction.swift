/// The result of a user action: a message for the status bar, and effects.
///
/// Nested states return reactions because only `GalleryState` can show a message.
struct Reaction: Equatable, Sendable {
    let notice: Notice
    let effects: [Effect]

    init(_ text: String, effects: [Effect] = []) {
        notice = Notice(text)
        self.effects = effects
    }
}
