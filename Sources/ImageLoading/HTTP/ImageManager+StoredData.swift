/// Storage in the disk cache for small pieces of data that took a long time to compute, such as the
/// directory of an archive.
///
/// The data counts toward the budget of the cache, is checked like bodies, and is removed when the
/// cache is cleared.
extension ImageManager {
    /// Returns the stored data with a name, or nil if nothing is stored under this name.
    package func storedData(named name: String) async -> [UInt8]? {
        guard let url = Self.url(named: name) else { return nil }
        return await engine.cache.disk?.data(for: url)
    }

    /// Stores data for the next start of the program.
    package func storeData(_ bytes: [UInt8], named name: String) {
        guard let url = Self.url(named: name) else { return }
        engine.cache.disk?.store(bytes, for: url)
    }

    /// Returns a URL with a cache name that no image has.
    private static func url(named name: String) -> ImageURL? {
        guard (try? MessageDigest.requireLibrary()) != nil else { return nil }
        var url = ImageURL(filePath: "/index")
        url?.cacheName = name
        return url
    }
}
