import Decoders
import Synchronization
import Testing

@Suite struct CancellationTests {
    /// Counts how often a decode asks, and says stop from some time on.
    private final class Switch: Sendable {
        private let asked = Atomic<Int>(0)
        private let limit: Int

        init(stopAfter limit: Int) { self.limit = limit }

        var askedCount: Int { asked.load(ordering: .relaxed) }

        func isCancelled() -> Bool { asked.add(1, ordering: .relaxed).newValue > limit }
    }

    private static let files = Result { try noiseFiles(width: 160, height: 400) }

    @Test(arguments: 0..<4, [nil, PixelSize(width: 20, height: 20)])
    func `a decode ends at the first yes`(index: Int, target: PixelSize?) throws {
        let file = try Self.files.get()[index]
        for stopAfter in 0..<3 {
            let stop = Switch(stopAfter: stopAfter)

            #expect(throws: ImageDecodingError.cancelled) {
                try DecoderRegistry.standard.decode(
                    file,
                    options: DecodingOptions(targetSize: target) { stop.isCancelled() }
                )
            }

            #expect(stop.askedCount == stopAfter + 1)
        }
    }

    @Test(arguments: 0..<4)
    func `a full decode asks at least every 16 rows`(index: Int) throws {
        let file = try Self.files.get()[index]
        let stop = Switch(stopAfter: .max)

        _ = try DecoderRegistry.standard.decode(
            file,
            options: DecodingOptions { stop.isCancelled() }
        )

        #expect(stop.askedCount >= 400 / 16)
    }
}
