/// The detail view.
extension GalleryState {
    mutating func openDetail() -> [Effect] {
        guard case .success(let feed)? = feed, selection < feed.count else { return [] }
        let hadLoad = detail != nil
        rememberSerial()
        let feedItem = feed[selection]
        detail = DetailState(
            item: selection,
            feedItem: feedItem,
            box: detailBox,
            serial: lastDetailSerial
        )
        guard feedItem.problem == nil else { return hadLoad ? [.closeDetail] : [] }
        return [.openDetail(item: selection, refreshing: false)]
    }

    mutating func closeDetail() -> [Effect] {
        rememberSerial()
        detail = nil
        return [.closeDetail]
    }

    /// Shows the next or the previous picture.
    mutating func step(_ distance: Int) -> [Effect] {
        let target = selection + distance
        guard target >= 0, target < itemCount else {
            notice = Notice(distance > 0 ? "this is the last picture" : "this is the first picture")
            return []
        }
        selection = target
        // The picture looked at comes first: what the grid behind it needs can wait.
        return openDetail() + settle()
    }

    mutating func moveInDetail(_ movement: Movement) -> [Effect] {
        guard let viewport = detail?.viewport, !viewport.showsWholePicture else {
            let isForward = movement == .right || movement == .down
            return step(isForward ? 1 : -1)
        }
        return detail?.look { $0.pan(movement) } ?? []
    }

    private mutating func rememberSerial() {
        lastDetailSerial = max(lastDetailSerial, detail?.serial ?? 0)
    }
}
