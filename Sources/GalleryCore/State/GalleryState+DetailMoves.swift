import TerminalUI

/// Methods that move within an open image and between images.
extension GalleryState {
    /// The number of images that `^D` and `^U` skip when the whole image is visible.
    private static let longStep = 10
    /// The maximum number of times to repeat a pan, which is enough to reach the edge of any image.
    private static let mostPans = 1000

    /// Shows the image `distance` images after the selected image, or before it if `distance` is
    /// negative.
    ///
    /// Stops at the first and the last image.
    mutating func step(_ distance: Int) -> [Effect] {
        let last = max(0, itemCount - 1)
        // A larger distance could overflow the addition below.
        let distance = max(-itemCount, min(distance, itemCount))
        let target = max(firstImagePosition, min(grid.selection + distance, last))
        guard target != grid.selection else {
            notice = Notice(distance > 0 ? "this is the last image" : "this is the first image")
            return []
        }
        return look(at: target)
    }

    mutating func moveInDetail(_ movement: Movement, times count: Int = 1) -> [Effect] {
        let count = max(1, count)
        switch movement {
        case .first: return step(-grid.selection)
        case .last: return step(max(1, itemCount - 1 - grid.selection))
        case .left, .right, .up, .down, .pageUp, .pageDown, .halfUp, .halfDown: break
        }
        guard let viewport = detail?.viewport, !viewport.showsWholeImage else {
            let count = min(count, itemCount)
            return step(Self.distance(movement) * count)
        }
        return detail?.look { viewport in
            for _ in 0..<min(count, Self.mostPans) { viewport.pan(movement) }
        } ?? []
    }

    private static func distance(_ movement: Movement) -> Int {
        switch movement {
        case .left, .up, .pageUp, .first: -1
        case .right, .down, .pageDown, .last: 1
        case .halfUp: -longStep
        case .halfDown: longStep
        }
    }

    /// Selects an image, and shows it if the image view is open.
    mutating func look(at target: Int) -> [Effect] {
        grid.select(detail == nil ? target : max(target, firstImagePosition))
        guard detail != nil else { return settle() }
        // The open image loads before the grid.
        return openDetail() + settle()
    }

    // MARK: Mouse

    mutating func pointInDetail(_ mouse: Mouse) -> [Effect] {
        switch mouse {
        case .wheelUp: return detail?.look { $0.zoomIn() } ?? []
        case .wheelDown: return detail?.look { $0.zoomOut() } ?? []
        case .press(let row, let column):
            detail?.hold(at: ScreenPlace(row: row, column: column))
            return []
        case .drag(let row, let column):
            return detail?.drag(to: ScreenPlace(row: row, column: column)) ?? []
        case .middle(let row, let column): return lookWhere(row: row, column: column)
        case .right: return toggleMarkInPlace()
        case .doublePress: return closeDetail()
        }
    }

    /// Moves the visible part of the image to the position of the mouse pointer.
    ///
    /// The relative position of the pointer within the image view is used as the relative position
    /// within the whole image.
    private mutating func lookWhere(row: Int, column: Int) -> [Effect] {
        let box = detailRect
        func share(_ place: Int, _ count: Int) -> Double {
            count > 1 ? max(0, min(1, Double(place) / Double(count - 1))) : 0.5
        }
        let x = share(column - box.column, box.columns)
        let y = share(row - box.row, box.rows)
        return detail?.look { $0.look(atX: x, y: y) } ?? []
    }
}
