import ImageLoading

/// What is to be done before the process ends, however it ends but by a crash: by returning, by a
/// failure, or by a signal that the program answers.
///
/// For files that must be complete. Callable on any thread; each duty is done once.
enum ExitDuties {
    private static let duties = Protected<[@Sendable () -> Void]>([])

    static func add(_ duty: @escaping @Sendable () -> Void) {
        duties.withLock { $0.append(duty) }
    }

    /// The newest first.
    static func perform() {
        let all = duties.withLock { duties in
            defer { duties = [] }
            return duties
        }
        for duty in all.reversed() { duty() }
    }
}
