extension ImageManager {
    /// Runs the journey and tells everyone who still waits for it.
    func carryOut(_ run: LoadTask) async {
        let result: Result<ImageResponse, ImageLoadingError>
        do throws(ImageLoadingError) {
            result = .success(try await journey(of: run))
        } catch {
            result = .failure(error)
        }
        releaseQueuePosition(run)
        for operation in runs.withLock({ $0.finish(run.key, run: run.number) }) {
            finish(operation, with: result)
        }
    }

    /// The whole journey of a request that the memory cache did not answer, from top to bottom.
    ///
    /// Whoever cancels it finds it at the next `try await`, each of which throws then.
    private func journey(of run: LoadTask) async throws(ImageLoadingError) -> ImageResponse {
        let key = run.key

        // Local bytes need no cache and are not remembered when bad: the file may be mended.
        if let bytes = try await localBytes(for: run) {
            return try await picture(from: bytes, .disk, for: run)
        }

        // What the disk has, if it may be used without asking.
        var cached = await cachedBody(for: run)
        if let body = cached, body.answersAtOnce || key.isCacheOnly {
            if let answer = try await answer(from: body, for: run) { return answer }
            cached = nil
        }
        // Or the beginning of it, if that is enough.
        var partial: PartialLookup?
        if cached == nil {
            let isAllowed = { (decision: CacheDecision) in
                key.isCacheOnly && decision != .notStorable
            }
            partial = await lookUpPartial(for: run, isUsable: isAllowed)
            if let answer = partial?.answer { return answer }
        }

        // Row M15: what is there is shown at once, then the server is asked whether it is good.
        var known = try await showBeforeRefresh(cached, run)
        known.partial = partial
        do throws(ImageLoadingError) {
            // Asked after the caches on purpose: a failed URL must not hide a picture we have.
            try checkMayAsk(for: key)
            return try await fetch(known, for: run)
        } catch {
            let stale = await staleAnswer(after: error, known, for: run)
            // Row M19: a refresh that fails takes nothing away.
            if stale == nil || !key.isRefresh { remember(error, for: run) }
            guard let stale else { throw error }
            return stale
        }
    }
}
