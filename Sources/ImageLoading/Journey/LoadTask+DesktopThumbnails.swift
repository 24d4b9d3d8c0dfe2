internal import Decoders

/// Methods for local files that use or create the thumbnails that desktop programs share.
extension LoadTask {
    /// Returns an image made from a desktop program's thumbnail of the file, or nil if there is no
    /// suitable thumbnail.
    func desktopThumbnail() async -> ImageResponse? {
        guard key.acceptsThumbnail, key.purpose == .image, key.processors.isEmpty,
            !key.isLoaderOnly, !key.isRefresh, let box = key.image.targetSize,
            let desktop = engine.desktopThumbnails, let file = LocalPicture(key),
            file.member.isEmpty
        else { return nil }
        let (mode, limit) = (key.image.contentMode, engine.cache.maximumByteCount)
        let found = try? await engine.cache.files.readers.run(priority: priority) { _ in
            FileStamp(ofFile: file.path).flatMap { stamp in
                stamp.byteCount <= UInt64(limit)
                    ? desktop.find(file.path, stamp, for: box, mode).map { ($0, stamp) } : nil
            }
        }
        guard let (found, stamp) = found.flatMap(\.self) else { return nil }
        let (clock, image) = (engine.clock, key.image)
        let product = try? await engine.decoding.perform(work) { flag throws(ImageLoadingError) in
            let start = clock.uptime()
            return desktop.image(found, for: image, flag).map {
                DecodeStage.Product(image: $0, duration: clock.uptime() - start)
            }
        }
        guard let product = product.flatMap(\.self) else { return nil }
        engine.countDecode(product.duration, for: key)
        keepInMemory(product.image)
        return ImageResponse(
            image: product.image,
            source: .disk,
            byteCount: Int(clamping: stamp.byteCount),
            httpStatus: nil
        )
    }

    /// Creates a thumbnail of the file for desktop programs in the background.
    ///
    /// Does nothing if the configuration does not allow it (`DesktopThumbnailUse.readAndWrite`).
    func makeDesktopThumbnail() {
        guard key.purpose == .image, let box = key.image.targetSize,
            let desktop = engine.desktopThumbnails, let file = LocalPicture(key),
            file.member.isEmpty
        else { return }
        desktop.make(file.path, for: box)
    }
}
