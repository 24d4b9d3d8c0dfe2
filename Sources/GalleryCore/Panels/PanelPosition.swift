/// The scroll position of the statistics panel or the information panel.
///
/// A page scrolls by lines, and a panel by complete groups. A panel can become a page, and vice
/// versa, when the screen is resized or an image is opened. Lines and groups have separate
/// positions, so a line number is never used as a group index. Views clamp both positions when
/// drawing because the content may have become shorter.
struct PanelPosition: Equatable, Sendable {
    /// The first visible line of a page.
    var line = 0
    /// The index of the first group of a panel.
    var group = 0
}
