import Decoders
import ImageLoading
import Logging

extension LoadingArguments {
    /// The engine that these options describe.
    func makeManager(
        isGallery: Bool = false,
        watchesMemory: Bool = true
    ) throws -> ImageManager {
        var configuration = configuration(isGallery: isGallery)
        configuration.memoryPressure = watchesMemory ? PressureStallSource() : nil
        if let log {
            let handler = try FileLogHandler(path: log)
            configuration.logger = Logger(label: "termgallery") { _ in handler }
        }
        if let trace { configuration.trace = try TraceOutput.open(trace) }
        return ImageManager(configuration: configuration)
    }

    /// What the options say, and what follows from their use: a gallery wants what came into view
    /// last first, and its keys answered before that; elsewhere nothing waits but the pictures.
    func configuration(isGallery: Bool) -> ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.downloader.order = isGallery ? .lastInFirstOut : .firstInFirstOut
        if !isGallery { configuration.decodeThreadNiceness = 0 }
        configuration.downloader.maximumConcurrentTransfers = transfers
        configuration.downloader.maximumByteCount = maxBytes.value
        configuration.transport.userAgent = "TermGallery/\(TermGalleryCommand.version)"
        configuration.transport.proxy = proxy
        configuration.isOffline = offline
        configuration.transport.idleTimeout = .seconds(timeout)
        configuration.limits = DecodingLimits(maximumPixelCount: maxPixels * 1_000_000)
        if let memoryCache { configuration.memoryByteLimit = memoryCache.value }
        configuration.disk = noDiskCache ? nil : diskConfiguration
        return configuration
    }

    private var diskConfiguration: DiskCacheConfiguration {
        var disk = DiskCacheConfiguration()
        disk.byteLimit = diskCache.value
        if let cacheDir { disk.directory = AbsolutePath.of(cacheDir) }
        return disk
    }
}
