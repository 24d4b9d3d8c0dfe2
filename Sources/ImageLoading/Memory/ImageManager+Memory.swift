internal import Logging

extension ImageManager {
    /// What is given up at the moment because memory is short; nil without a source of pressure.
    ///
    /// Asking may take back what was given up, if it has been quiet for long enough.
    public var memoryStage: MemoryStage? {
        memoryPressureMethod == nil ? nil : memoryResponse.stage
    }

    /// How pressure is noticed on this system; nil if the configuration has no source.
    public var memoryPressureMethod: MemoryPressureWatch.Method? { memoryResponse.method }

    /// Has `observer` called at each change of the stage, for as long as the manager lives.
    ///
    /// It is called on the thread that noticed, which is any, and must be quick. For parts that can
    /// give something up themselves: who loads ahead stops while `allowsPrefetching` is false.
    public func observeMemoryStage(_ observer: @escaping @Sendable (MemoryStage) -> Void) {
        memoryResponse.observe(observer)
    }

    /// Answers pressure that `source` tells of, from here on or `after` a while, instead of the
    /// configuration's.
    ///
    /// For programs that are often done soon: a watch of the kernel's costs 13 ms at the process's end,
    /// and it first tells when 150 ms were lost waiting for memory.
    public func watchMemory(
        through source: any MemoryPressureSource,
        after delay: Duration = .zero
    ) {
        guard delay > .zero else { return memoryResponse.watch(source) }
        engine.clock.notify(at: engine.clock.uptime() + delay) { [weak memoryResponse] in
            memoryResponse?.watch(source)
        }
    }

    /// The last step of making a manager: from here on pressure is answered.
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
