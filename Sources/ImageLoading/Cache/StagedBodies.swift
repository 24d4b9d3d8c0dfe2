/// Bodies that were handed over for storing and are not on the disk yet.
///
/// Pure.
///
/// A look-up finds them, so that storing seems to take no time. Bounded: a disk slower than the
/// network must not fill the memory.
struct StagedBodies: Sendable {
    struct Body: Sendable {
        let number: Int
        let bytes: [UInt8]
    }

    private var bodies: [CacheFileName: Body] = [:]
    private var lastNumber = 0
    private var byteCount = 0
    private let byteLimit: Int

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    subscript(name: CacheFileName) -> Body? { bodies[name] }

    /// Adds a body, in place of an older one that was not written yet; returns the number under
    /// which it is taken out, or nil if there is no room.
    mutating func add(_ bytes: [UInt8], for name: CacheFileName) -> Int? {
        remove(name)
        guard byteCount + bytes.count <= byteLimit else { return nil }
        lastNumber += 1
        byteCount += bytes.count
        bodies[name] = Body(number: lastNumber, bytes: bytes)
        return lastNumber
    }

    /// Takes a body out, unless another one is there by now.
    mutating func remove(_ name: CacheFileName, number: Int) {
        if bodies[name]?.number == number { remove(name) }
    }

    mutating func remove(_ name: CacheFileName) {
        byteCount -= bodies.removeValue(forKey: name)?.bytes.count ?? 0
    }

    mutating func removeAll() {
        bodies = [:]
        byteCount = 0
    }
}
