package import ImageLoading

extension ImageManager {
    /// Requests a site's rules for crawlers (`robots.txt`).
    package func robots(_ url: String, origin: RequestOrigin) async -> RobotsAnswer {
        do throws(ImageLoadingError) {
            let limits = TransferLimits(byteCount: RobotsAnswer.mostBytes, time: .seconds(30))
            return RobotsAnswer(.success(try await body(of: url, origin: origin, limits: limits)))
        } catch {
            return RobotsAnswer(.failure(error))
        }
    }
}
