internal import Decoders
internal import Feeds
import TerminalUI

/// Methods that perform the actions assigned to keys.
extension GalleryState {
    mutating func perform(_ action: GalleryAction) -> [Effect] {
        switch action {
        case .move(let movement): return detail == nil ? move(movement) : moveInDetail(movement)
        case .search: return ask(.search)
        case .nextMatch: return stepToMatch(1)
        case .previousMatch: return stepToMatch(-1)
        case .filter: return ask(.filter, text: finding.filterText)
        case .sort: prompt.askForOrder()
        case .open: return openSelected()
        case .leaveFolder: return leaveFolder()
        case .command: return ask(.command)
        case .toggleAutoScroll:
            if let effects = toggleStory() { return effects }
            toggleAutoScroll()
        case .toggleAnimations: notice = animation.toggle()
        case .toggleSlideshow: notice = slideshow.toggle(interval: settings.slideshow)
        case .largerTiles: return changeColumns(by: -1, limit: "largest")
        case .smallerTiles: return changeColumns(by: 1, limit: "smallest")
        case .toggleCropping: return showImages(pool.area.style.next)
        case .zoomIn: return detail?.look { $0.zoomIn() } ?? []
        case .zoomOut: return detail?.look { $0.zoomOut() } ?? []
        case .fit: return detail?.look { $0.fit() } ?? []
        case .actualSize: return detail?.look { $0.showActualSize() } ?? []
        case .rotateLeft: return detail?.look { $0.turn(.rotatedLeft) } ?? []
        case .rotateRight: return detail?.look { $0.turn(.rotatedRight) } ?? []
        case .mirror: return detail?.look { $0.turn(.mirrored) } ?? []
        case .flip: return detail?.look { $0.turn(.flipped) } ?? []
        case .next: return step(1)
        case .previous: return step(-1)
        case .nextMarked: return stepToMarked(1)
        case .previousMarked: return stepToMarked(-1)
        case .close: return closeDetail()
        case .retry: return retry()
        case .refresh: return refresh()
        case .reload: return reloadFeed()
        case .nextUnread: return goToNextUnread()
        case .readAll: return react(reading.seeAll(undoHint: keys.hint(.readAll, "undoes this")))
        case .clearMemory: return [.cache(.clearMemory)]
        case .clearDisk: prompt.ask(.clearDisk)
        case .cleanDisk: return [.cache(.cleanDisk)]
        case .cancelAll: return cancelAll()
        case .togglePause:
            return react(loads.togglePause(resumeHint: keys.hint(.togglePause, "resumes")))
        case .nextStatistics: return showNextStatistics()
        case .toggleTrace: return toggleTrace()
        case .nextTraceFilter: return showNextTraceFilter()
        case .toggleLanes: return toggleLanes()
        case .toggleCancelling: return toggleCancelling()
        case .nextSymbols: return takeNextSymbols()
        case .openOutside: return openOutside()
        case .copyAddress: return copyAddress()
        case .copyPosition: return copyPosition()
        case .save: return save()
        case .information: return showNextInformation()
        case .wholeInformation: return toggleWholeInformation()
        case .trash: return askToTrash()
        case .runCommand(let asLines): return askForCommand(asLines: asLines)
        case .toggleMark: return toggleMark()
        case .markRange: return markRange()
        case .markAll: return markAll()
        case .invertMarks: return invertMarks()
        case .unmarkAll: unmarkAll()
        case .undo: return undo()
        case .toggleLabelMode: toggleLabelMode()
        case .toggleHelp: prompt.showHelp()
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return [.quit]
        }
        return []
    }

    /// Shows the message of a reaction, and returns its effects.
    mutating func react(_ reaction: Reaction) -> [Effect] {
        notice = reaction.notice
        return reaction.effects
    }

    /// Repeats a movement of the selection `count` times.
    mutating func move(_ movement: Movement, times count: Int = 1) -> [Effect] {
        guard itemCount > 0 else { return [] }
        grid.move(movement, times: count)
        return settle()
    }

    private mutating func changeColumns(by step: Int, limit: String) -> [Effect] {
        guard grid.changeColumns(by: step, on: display) else {
            notice = Notice("already the \(limit) images")
            return []
        }
        return settle() + [.rememberTileWidth(grid.tileWidth)]
    }

    /// Changes how the images of the grid fill their tiles.
    mutating func showImages(_ style: TileStyle) -> [Effect] {
        let text =
            switch style {
            case .whole: "images are shown whole"
            case .cropped: "images fill their tiles" + keys.hint(.toggleCropping, "fills the rows")
            case .justified:
                "tiles are as wide as their images"
                    + keys.hint(.toggleCropping, "makes them equal")
            }
        notice = Notice(text)
        // The prefetched images may have too few pixels, so they are requested again.
        return pool.show(in: style) + loads.prefetching.end()
    }

    /// Whether the gallery scrolls automatically, possibly in the demonstration of cancellation.
    var isAutoScrollOn: Bool { grid.autoScroll != nil || lanes.story != nil }

    private mutating func toggleAutoScroll() {
        let stopHint = keys.hint(.toggleAutoScroll, "stops it")
        notice = grid.toggleAutoScroll(ticksPerRow: settings.ticksPerRow, stopHint: stopHint)
    }

    private mutating func takeNextSymbols() -> [Effect] {
        let next = capabilities.afterPresentLook
        guard next != capabilities else {
            notice = Notice("this terminal has no other way to draw images")
            return []
        }
        return take(look: next)
    }

    /// Applies the image display mode that the user has chosen.
    mutating func take(look: ScreenCapabilities) -> [Effect] {
        display.choose(look)
        notice = Notice("images: \(look.lookTitle)")
        // The open image is rendered before the grid.
        return (detail?.draw() ?? []) + pool.restyle(capabilities)
    }

    private mutating func retry() -> [Effect] {
        if let detail {
            let effects = detail.load.failure == nil ? checkFiles() : self.detail?.restart() ?? []
            noteCheck(effects, or: "this image has not failed")
            return effects
        }
        let effects = pool.retry() + checkFiles()
        noteCheck(effects, or: "nothing on the screen can be retried")
        return effects
    }

    /// Shows a message about a retry.
    ///
    /// If the effects check files, the message reports it. If there are no effects, the message is
    /// `refusal`.
    private mutating func noteCheck(_ effects: [Effect], or refusal: String) {
        if effects.isEmpty { notice = Notice(refusal) }
        if effects == [.files(.checkAll)] { notice = Notice("checking the files for changes") }
    }

    /// Opens a prompt in the grid, after closing the image view if it is open.
    mutating func ask(_ kind: PromptKind, text: String = "") -> [Effect] {
        let effects = detail == nil ? [] : closeDetail()
        prompt.ask(kind, text: text)
        return effects
    }

    private mutating func refresh() -> [Effect] {
        guard let detail else {
            let effects = pool.refresh()
            if !effects.isEmpty {
                let hasServer = pool.slots.contains { $0.item != nil && !$0.isLocalFile }
                notice = Notice(
                    hasServer
                        ? "reloading the images on the screen from their servers"
                        : "reloading the files on the screen"
                )
            }
            return effects
        }
        let effects = self.detail?.restart(refreshing: true) ?? []
        guard !effects.isEmpty else { return [] }
        notice = Notice(
            detail.feedItem.isLocalFile
                ? "reloading this file" : "reloading this image from its server"
        )
        return effects
    }

    private mutating func cancelAll() -> [Effect] {
        pool.cancelAll()
        detail?.cancel()
        loads.prefetching.stop()
        notice = Notice("all loads cancelled" + keys.hint(.retry, "retries"))
        return [.loading(.cancelAll)]
    }
}
