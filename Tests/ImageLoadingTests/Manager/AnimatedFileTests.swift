import Decoders
import ImageLoading
import ImageLoadingTesting
import Testing

struct AnimatedFileTests {
    /// A GIF of one red and one blue frame of one pixel.
    private static let film: [UInt8] =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        + [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        + [0x21, 0xF9, 4, 0, 20, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
        + [0x3B]

    // O9
    @Test func `a load decodes the first frame of an animation, frames all of them`()
        async throws
    {
        let harness = ManagerHarness()
        harness.transport.answerStarts { _ in .body(Self.film) }
        let request: ImageRequest = "http://a.example/film.gif"

        let image = try await harness.manager.response(for: request).image
        let body = try await harness.manager.data(for: request).bytes
        let frames = try await harness.manager.frames(of: body).animation?.frames

        #expect(image.properties.frameCount == 2 && image.animation == nil)
        #expect(image.pixels.bytes == [255, 0, 0, 255])
        #expect(frames?.map(\.pixels.bytes) == [[255, 0, 0, 255], [0, 0, 255, 255]])
        #expect(frames?.map(\.duration) == [.milliseconds(100), .milliseconds(200)])
    }
}
