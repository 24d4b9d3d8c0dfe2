internal import Decoders

extension ImageManager {
    /// Runs the journey and tells everyone who still waits for it.
    func carryOut(_ run: LoadRun) async {
        let result: Result<ImageResponse, ImageLoadingError>
        do throws(ImageLoadingError) {
            result = .success(try await journey(of: run))
        } catch {
            result = .failure(error)
        }
        for operation in runs.withLock({ $0.finish(run.key, run: run.number) }) {
            finish(operation, with: result)
        }
    }

    /// The whole journey of a request that the memory cache did not answer, from top to bottom.
    ///
    /// Whoever cancels it finds it at the next `try await`: each of them throws then.
    private func journey(of run: LoadRun) async throws(ImageLoadingError) -> ImageResponse {
        let key = run.key
        let begun = cache.generations

        // Local bytes need no cache and are not remembered when bad: the file may be mended.
        if let bytes = try await localBytes(for: run) {
            return try await picture(from: bytes, .disk, for: run, begun)
        }

        let cached = try await cachedPicture(for: run, begun)
        if let cached, !key.isRefresh { return cached }

        // Row M15: shown at once, and then the server is asked whether it is still good.
        if let cached { tell(.image(cached), to: run) }
        do throws(ImageLoadingError) {
            // Asked after the disk on purpose: a failed refresh must not hide a picture we have.
            try checkMayAsk(for: key)
            return try await download(for: run, begun)
        } catch {
            remember(error, for: key)
            throw error
        }
    }
}
