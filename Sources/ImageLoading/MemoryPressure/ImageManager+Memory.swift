internal import Logging

extension ImageManager {
    /// The current stage of the response to memory pressure, or nil if memory pressure is not
    /// monitored.
    ///
    /// Each period of 30 s without a report of memory pressure lowers the stage by one.
    public var memoryStage: MemoryStage? {
        memoryPressureMethod == nil ? nil : memoryResponse.stage
    }

    /// How memory pressure is detected, or nil if it is not monitored.
    public var memoryPressureMethod: MemoryPressureWatch.Method? { memoryResponse.method }

    /// Registers `observer`, which is called on each stage change until the manager is released.
    ///
    /// The observer may be called on any thread and must return quickly. Use an observer for
    /// components that release their own resources: prefetchers, for example, pause while
    /// `allowsPrefetching` is false.
    public func observeMemoryStage(_ observer: @escaping @Sendable (MemoryStage) -> Void) {
        memoryResponse.observe(observer)
    }

    /// Responds to memory pressure reported by `source` instead of the configured source.
    ///
    /// The source is started immediately or after `delay`. Use a delay in programs that often end
    /// soon after launch: a kernel watch delays the end of the process by 13 ms and reports nothing
    /// until threads have waited for memory for 150 ms.
    public func watchMemory(
        through source: any MemoryPressureSource,
        after delay: Duration = .zero
    ) {
        guard delay > .zero else { return memoryResponse.watch(source) }
        engine.clock.notify(at: engine.clock.uptime() + delay) { [weak memoryResponse] in
            memoryResponse?.watch(source)
        }
    }

    /// Starts to respond to memory pressure, as the last step of creating a manager.
    func answerMemoryPressure(_ configuration: ImageManagerConfiguration) {
        let (pool, logger) = (engine.decoding.pool, configuration.logger)
        let (threadCount, thumbnails) = (configuration.decodeThreadCount, engine.thumbnails)
        memoryResponse.observe { stage in
            pool.setWidth(stage < .restrained ? threadCount : 1)
            thumbnails?.isPaused = stage != .calm
            logger.notice("memory pressure", metadata: ["stage": "\(stage)"])
        }
        if let source = configuration.memoryPressure { memoryResponse.watch(source) }
    }
}
