import Decoders
import Testing

@testable import TerminalUI

@Suite struct NearLosslessTests {
    private static let pictures = [
        Pictures.scene(width: 61, height: 40), Pictures.noise(width: 33, height: 17, seed: 1),
        Pictures.noise(width: 1, height: 1, seed: 2), Pictures.noise(width: 1, height: 50, seed: 3),
        Pictures.noise(width: 50, height: 1, seed: 4),
    ]

    @Test(arguments: [1, 2, 3, 7, 16, 40], pictures)
    func `no sample is further off than half a step`(step: Int, picture: PixelBuffer) throws {
        let rows = NearLosslessRows(picture, RowFilters(picture), step: step)

        let file = try #require(
            PNGWriter.rgb(filteredRows: rows.bytes, size: picture.size, level: 6)
        )
        let decoded = try Pictures.decoded(file)
        #expect(decoded.samples == rows.samples)
        let differences = zip(rows.samples, picture.samples).map { abs(Int($0) - Int($1)) }
        #expect(differences.allSatisfy { $0 <= step / 2 })
    }

    @Test func `larger steps take fewer bytes`() throws {
        let picture = try #require(Pictures.samples.values.first)

        let sizes = try [1, 2, 4, 8, 16, 32].map { step in
            let rows = NearLosslessRows(picture, RowFilters(picture), step: step)
            let file = PNGWriter.rgb(filteredRows: rows.bytes, size: picture.size, level: 6)
            return try #require(file).count
        }

        #expect(sizes == sizes.sorted(by: >))
    }

    @Test(arguments: [1, 3, 7, 15, 33])
    func `a photograph deflates to about the size that its differences predict`(step: Int) throws {
        for picture in Pictures.samples.values {
            let filters = RowFilters(picture)
            let rows = NearLosslessRows(picture, filters, step: step)
            let stream = try #require(PNGWriter.zlibStream(of: rows.bytes, level: 6))

            let share = filters.expectedByteCount(step: step) / Double(stream.count)
            #expect((step < 10 ? 0.6...1.5 : 0.4...2).contains(share), "\(picture.size)")
        }
    }
}
