import ImageLoading

/// Whether memory allows to load what nobody looks at yet.
enum AheadPermission {
    /// What to ask before each load ahead, on any thread.
    ///
    /// The mailbox is told of each change: the gallery takes back its wish, or wishes again.
    static func watching(
        _ manager: ImageManager,
        mailbox: Mailbox<GalleryMail>
    ) -> @Sendable () -> Bool {
        let isGiven = Protected(manager.memoryStage?.allowsPrefetching ?? true)
        manager.observeMemoryStage { stage in
            isGiven.withLock { $0 = stage.allowsPrefetching }
            mailbox.post(.figuresMoved)
        }
        return { isGiven.withLock { $0 } }
    }
}
