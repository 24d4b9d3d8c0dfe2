/// Stands for the time between two clearings of a cache.
///
/// A load asks for it before it starts and hands it over with its result, which is dropped if the
/// cache was cleared meanwhile: else a cleared cache would fill again with what the clearing was
/// meant to get rid of (row F29).
public struct CacheGeneration: Hashable, Sendable {
    var number = 0
}
