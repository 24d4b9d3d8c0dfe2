/// Names one list of a prefetcher, to cancel it by; of no use to another prefetcher.
public struct PrefetchToken: Hashable, Sendable {
    let number: UInt64
}

/// One request of one list.
struct PrefetchItem: Hashable, Sendable {
    let list: PrefetchToken
    /// Its place in the list as it was given.
    let index: Int
}
