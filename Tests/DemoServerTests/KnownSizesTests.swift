import Decoders
import Testing

@testable import DemoServer

@Suite struct KnownSizesTests {
    /// Compared in total, because versions of the encoders may differ by a few bytes.
    @Test func `the table has the sizes of the images that the server makes`() throws {
        let numbers = stride(from: 1, through: 1000, by: 83)
        var (known, made) = (0, 0)
        for number in numbers {
            let image = DemoImage(number: number, seed: DemoImageSizes.seed)
            known += DemoImageSizes.all[number - 1]
            made += try image.encoded(as: image.format).count
        }
        #expect(DemoImageSizes.all.count == 1000)
        #expect(abs(known - made) * 100 < made, "\(known) and \(made)")
    }

    @Test func `only images that the server would send have a size`() {
        let all = DemoImageSizes.sizes(DemoConfiguration(count: 40, failureRate: 1)).first
        let none = DemoImageSizes.sizes(DemoConfiguration(count: 40)).first
        #expect(all.count == 40 && none.count == 40)
        #expect(!none.contains(0))
        // Interrupted bodies announce the size of the image, error pages do not.
        #expect(all.contains(0) && zip(all, none).allSatisfy { $0 == 0 || $0 == $1 })
    }

    @Test func `for other seeds only the mean is known`() {
        let sizes = DemoImageSizes.sizes(DemoConfiguration(count: 40, seed: 2))
        #expect(sizes.first.isEmpty)
        #expect((50_000...150_000).contains(sizes.mean))
    }
}
