/// A direction or a distance in the grid, or in a picture.
enum Movement: Hashable, Sendable {
    case left, right, up, down
    case pageUp, pageDown
    case first, last
}

/// What a key can ask for.
enum GalleryAction: Hashable, Sendable {
    case move(Movement)
    case open
    case goTo
    case toggleAutoScroll
    case largerCells, smallerCells
    case zoomIn, zoomOut, fit
    case next, previous
    case close
    case retry, refresh
    case clearMemory, clearDisk, cleanDisk
    case cancelAll, togglePause
    case toggleStatistics, nextSymbols, toggleHelp
    case redraw, suspend, quit
}
