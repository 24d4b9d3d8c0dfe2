internal import Decoders

/// What left the memory cache in one step.
///
/// Holds the pictures until the lock is left: freeing a large one takes longer than all the rest.
struct MemoryRemoval {
    private var images: [DecodedImage] = []
    /// Pictures that had to leave, apart from those that were replaced.
    private(set) var entryCount = 0
    /// Their cost in bytes.
    private(set) var byteCount = 0

    /// Takes a picture that was replaced or asked away.
    mutating func keep(_ image: DecodedImage) {
        images.append(image)
    }

    /// Takes a picture that had to leave.
    mutating func count(_ image: DecodedImage, byteCount: Int) {
        images.append(image)
        entryCount += 1
        self.byteCount += byteCount
    }

    /// As the caches tell it.
    var statistics: CacheStatistics {
        var result = CacheStatistics()
        result.entryCount = entryCount
        result.byteCount = byteCount
        return result
    }
}
