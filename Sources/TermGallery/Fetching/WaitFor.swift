import ImageLoading

/// Blocks the calling thread until `work` is done: for the main thread of commands that have no
/// event loop, never for a thread of Swift's pool.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let answer = BlockingQueue<Value>()
    Task(executorPreference: StepExecutor.shared) { answer.put(await work()) }
    return answer.take()
}
