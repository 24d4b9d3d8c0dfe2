/// The scroll position of the statistics or the information.
///
/// A page scrolls by lines, a panel by whole groups, and a resize or an opened image changes one
/// into the other. Each has its own number, so that neither can be used as an index of the other.
/// Views clamp both when they are drawn, because the content may have become shorter.
struct PanelPosition: Equatable, Sendable {
    /// The first line of a page.
    var line = 0
    /// The index of the first group of a panel.
    var group = 0
}
