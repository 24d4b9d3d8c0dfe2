import Decoders
import Testing

@testable import TerminalGraphics

@Suite struct NearLosslessTests {
    private static let pictures = [
        Pictures.scene(width: 61, height: 40), Pictures.noise(width: 33, height: 17, seed: 1),
        Pictures.noise(width: 1, height: 1, seed: 2), Pictures.noise(width: 1, height: 50, seed: 3),
        Pictures.noise(width: 50, height: 1, seed: 4),
    ]

    @Test(arguments: [1, 2, 3, 7, 16, 40], pictures)
    func `no sample is further off than half a step`(step: Int, picture: PixelBuffer) throws {
        let rows = NearLosslessRows(picture, step: step)

        let file = try #require(
            PNGWriter.rgb(filteredRows: rows.bytes, size: picture.size, level: 6)
        )
        let decoded = try Pictures.decoded(file)
        let differences = zip(decoded.samples, picture.samples).map { Int($0) - Int($1) }
        #expect(differences.allSatisfy { abs($0) <= step / 2 })
        #expect(differences.map { $0 * $0 }.reduce(0, +) == rows.squaredError)
    }

    @Test func `larger steps take fewer bytes`() throws {
        let picture = try #require(Pictures.samples.values.first)

        let sizes = try [1, 2, 4, 8, 16, 32].map { step in
            let rows = NearLosslessRows(picture, step: step)
            let file = PNGWriter.rgb(filteredRows: rows.bytes, size: picture.size, level: 6)
            return try #require(file).count
        }

        #expect(sizes == sizes.sorted(by: >))
    }
}
