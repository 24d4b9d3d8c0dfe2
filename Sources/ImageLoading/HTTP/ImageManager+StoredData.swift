/// Methods that store small pieces of data in the disk cache.
///
/// Use them for data that takes a long time to compute, such as the directory of an archive. The
/// data counts toward the budget of the cache and is verified like bodies. It is removed when the
/// cache is cleared.
extension ImageManager {
    /// Returns the data stored under a name, or nil if no such data is stored.
    package func storedData(named name: String) async -> [UInt8]? {
        guard let url = Self.url(named: name) else { return nil }
        return await engine.cache.disk?.data(for: url)
    }

    /// Stores data under a name; the data remains available after the program is restarted.
    package func storeData(_ bytes: [UInt8], named name: String) {
        guard let url = Self.url(named: name) else { return }
        engine.cache.disk?.store(bytes, for: url)
    }

    /// Returns the URL under which the disk cache stores the data with this name.
    ///
    /// No image has the same cache name. Returns nil if the library for message digests is missing.
    private static func url(named name: String) -> ImageURL? {
        guard (try? MessageDigest.requireLibrary()) != nil else { return nil }
        var url = ImageURL(filePath: "/index")
        url?.cacheName = name
        return url
    }
}
