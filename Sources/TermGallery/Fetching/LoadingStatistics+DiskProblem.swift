import ImageLoading

extension LoadingStatistics {
    /// A line for people if pictures could not be kept on disk; nil if all were.
    var diskProblem: String? {
        guard diskWriteFailures > 0 else { return nil }
        let reason = diskFailureText ?? "no reason known"
        let pictures = diskWriteFailures == 1 ? "1 picture" : "\(diskWriteFailures) pictures"
        return "\(pictures) not kept in the disk cache: \(reason)"
    }
}
