extension ImageManager {
    /// Fetches a picture onto the disk for later, without decoding more than its header.
    ///
    /// It shares transfers with `load`, is answered by the disk cache if that has it, and ends like
    /// a load; the picture in its response has no pixels, only `properties`. Target size, content
    /// mode and processors don't matter. Without a disk cache it is a `load`.
    @discardableResult
    public func warmDisk(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        warmDisk(request, isBackground: false, onEvent: onEvent)
    }

    /// `isBackground`: nobody waits to see what comes of it.
    @discardableResult
    func warmDisk(
        _ request: ImageRequest,
        isBackground: Bool,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        guard cache.disk != nil else {
            return load(request, isBackground: isBackground, onEvent: onEvent)
        }
        do throws(ImageLoadingError) {
            let key = try resolver.key(for: request, purpose: .warmDisk)
            let operation = makeOperation(
                request,
                key,
                isBackground: isBackground,
                onEvent: onEvent
            )
            joinOrStart(key, operation)
            return operation
        } catch {
            let operation = makeOperation(request, isBackground: isBackground, onEvent: onEvent)
            finish(operation, with: .failure(error))
            return operation
        }
    }
}
