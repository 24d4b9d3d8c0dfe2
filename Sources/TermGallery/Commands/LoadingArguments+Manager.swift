import Decoders
import ImageLoading

extension LoadingArguments {
    /// The engine that these options describe.
    func makeManager() -> ImageManager {
        ImageManager(configuration: configuration)
    }

    private var configuration: ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.downloader.maximumConcurrentTransfers = transfers
        configuration.downloader.maximumByteCount = maxBytes.value
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
