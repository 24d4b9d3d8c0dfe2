/// Says that a band of rows moved since the last frame.
///
/// `rows` are the rows of the band on the screen; their content moved up by `distance` rows
/// (down if negative), what left the band is gone, and what came in is to be drawn.
struct ScrollHint: Hashable, Sendable {
    /// The band.
    var rows: Range<Int>
    /// Rows by which the content moved up.
    var distance: Int
}
