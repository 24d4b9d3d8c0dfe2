import ImageLoading

extension ImageManager {
    /// Waits until the engine's threads have released the images of earlier loads.
    ///
    /// A load ends shortly before its threads release the image. A manager with one decode thread
    /// works in order, so the threads have finished earlier loads when a later load, which
    /// `transport` must answer, has ended.
    func letGo() async throws {
        _ = try await response(for: ImageRequest(url: "http://a.example/later"))
    }
}
