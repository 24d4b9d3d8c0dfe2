import Decoders
import Feeds
import GalleryCore
import ImageLoading
import SystemSupport

/// Compares pairs of images on several threads.
///
/// Each thread loads and compares one pair at a time, so the number of images in memory is at most
/// twice the number of threads, however many pairs there are.
struct CompareRun: Sendable {
    let manager: ImageManager
    let pairs: [ComparedPair]
    /// The least SSIM of two images that count as similar, or nil.
    let leastSimilarity: Double?
    let threadCount: Int

    /// Returns the number of threads for a number of processor cores.
    ///
    /// One more thread than cores loads while the others compare. More than 4 threads would need
    /// too much memory: 8 images take up to 4 GiB.
    static func threadCount(coreCount: Int) -> Int {
        min(max(1, coreCount) + 1, 4)
    }

    /// Compares all pairs, and calls `receive` with the reports in the order of the pairs.
    ///
    /// If `receive` returns false, the remaining pairs are not compared.
    func run(_ receive: (CompareReport) -> Bool) throws(ProgramFailure) {
        let next = Protected(0)
        let reports = BlockingQueue<(index: Int, report: CompareReport)>()
        try startThreads {
            while let index = takeIndex(from: next) {
                reports.put((index, report(on: pairs[index])))
            }
        }
        var early: [Int: CompareReport] = [:]
        var nextToReport = 0
        while nextToReport < pairs.count {
            let (index, report) = reports.take()
            early[index] = report
            while let report = early.removeValue(forKey: nextToReport) {
                nextToReport += 1
                guard receive(report) else { return next.withLock { $0 = pairs.count } }
            }
        }
    }

    private func startThreads(_ body: @escaping @Sendable () -> Void) throws(ProgramFailure) {
        let started = (0..<min(threadCount, pairs.count)).filter { number in
            POSIXThread.startDetached(name: "compare-\(number)", body: body)
        }
        guard pairs.isEmpty || !started.isEmpty else {
            throw ProgramFailure(.systemFailure, "cannot start a thread")
        }
    }

    private func takeIndex(from next: Protected<Int>) -> Int? {
        next.withLock { next in
            guard next < pairs.count else { return nil }
            defer { next += 1 }
            return next
        }
    }

    private func report(on pair: ComparedPair) -> CompareReport {
        CompareReport(name: pair.name, outcome: outcome(of: pair), leastSimilarity: leastSimilarity)
    }

    private func outcome(of pair: ComparedPair) -> CompareReport.Outcome {
        guard let first = pair.first else { return .onlyIn(.b) }
        guard let second = pair.second else { return .onlyIn(.a) }
        let (one, other) = load(first, second)
        switch (one, other) {
        case (.failure(let error), _): return .failed(error, .a)
        case (_, .failure(let error)): return .failed(error, .b)
        case (.success(let one), .success(let other)):
            guard one.size == other.size else { return .sizeDiffers(one.size, other.size) }
            return .compared(ImageComparison(one, other), one.size)
        }
    }

    private typealias Loaded = Result<PixelBuffer, ImageLoadingError>

    /// Loads two images at the same time, and waits for both.
    private func load(_ first: ComparedImage, _ second: ComparedImage) -> (Loaded, Loaded) {
        let images = [first, second]
        var results: [Loaded] = images.map { image in
            .failure(.unusable(image.item.problem ?? ""))
        }
        let loads = LoadWindow(manager: manager)
        for (index, image) in images.enumerated() where image.item.problem == nil {
            loads.start(image.request, index: index)
        }
        while let end = loads.next() { results[end.index] = end.result.map(\.image.pixels) }
        return (results[0], results[1])
    }
}

extension ComparedImage {
    /// The request for the whole image.
    ///
    /// If only a part of a damaged image were compared, the figures would be misleading.
    fileprivate var request: ImageRequest {
        item.request(options: .refuseDamaged, origin: origin)
    }
}

extension ImageLoadingError {
    /// The error of an image that can't be loaded for a reason found in its folder or archive.
    fileprivate static func unusable(_ problem: String) -> Self {
        Self(stage: .request, kind: .permanent, reason: .unreadableFile(problem))
    }
}
