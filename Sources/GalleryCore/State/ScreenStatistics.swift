public import ImageLoading

/// How fast the screen follows, and what the terminal has.
public struct ScreenStatistics: Equatable, Sendable {
    /// From reading a key, or the mouse, to writing what came of it.
    public var keyTimes = DurationHistogram()
    /// From the start to the first image on the screen; nil before.
    public var firstPicture: Duration?
    /// What was sent in pixels.
    public var pictures = SentPictures()

    /// Makes statistics of nothing.
    public init() {}
}

/// Pictures in pixels that the terminal was sent.
public struct SentPictures: Equatable, Sendable {
    /// How many it has: of one that keeps them also those that are not shown.
    public var count = 0
    /// The bytes that all of them took on the line, since the start.
    public var bytesSent = 0

    /// Makes figures of nothing.
    public init() {}
}
