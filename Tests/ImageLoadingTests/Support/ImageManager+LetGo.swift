import ImageLoading

extension ImageManager {
    /// Returns when the threads that carried earlier pictures hold them no longer.
    ///
    /// A load ends a moment before its threads let go. They do one thing after the other, so that
    /// a later load, which `transport` must answer, finds them done: for managers of one decode
    /// thread.
    func letGo() async throws {
        _ = try await response(for: ImageRequest(url: "http://a.example/later"))
    }
}
