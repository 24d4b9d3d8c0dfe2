/// Storage in the disk cache for small pieces of data that took a long time to compute, such as the
/// directory of an archive.
///
/// The data counts toward the budget of the cache, is checked like bodies, and is removed when the
/// cache is cleared.
extension ImageManager {
    /// Returns the data stored under a name, or nil if there is none.
    package func storedData(named name: String) async -> [UInt8]? {
        guard let url = Self.url(named: name) else { return nil }
        return await engine.cache.disk?.data(for: url)
    }

    /// Stores data under a name, so that it is available after the program is restarted.
    package func storeData(_ bytes: [UInt8], named name: String) {
        guard let url = Self.url(named: name) else { return }
        engine.cache.disk?.store(bytes, for: url)
    }

    /// Returns a URL with `name` as its cache name, which no image has; nil if the library for
    /// message digests is missing.
    private static func url(named name: String) -> ImageURL? {
        guard (try? MessageDigest.requireLibrary()) != nil else { return nil }
        var url = ImageURL(filePath: "/index")
        url?.cacheName = name
        return url
    }
}
