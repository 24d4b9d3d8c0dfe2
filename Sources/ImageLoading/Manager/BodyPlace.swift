/// Where a body goes on disk, unless the disk cache was cleared since the load began (row F29).
struct BodyPlace: Hashable, Sendable {
    let url: ImageURL
    let begun: CacheGeneration?
}
