/// Storage in the disk cache for small data that took long to make, such as the directory of an
/// archive.
///
/// Stored data count toward the budget of the cache, are checked like bodies, and are removed when
/// the cache is cleared.
extension ImageManager {
    /// Returns the stored data with a name, or nil if nothing is stored.
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
