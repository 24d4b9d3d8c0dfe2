extension ImageRequest {
    /// How urgent the load is, flags included: `highPriority` wins over `lowPriority`, and both
    /// over `priority` (row D17).
    public var effectivePriority: LoadPriority {
        if options.contains(.highPriority) { return .high }
        return options.contains(.lowPriority) ? .low : priority
    }
}
