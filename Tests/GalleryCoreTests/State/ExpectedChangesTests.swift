import ImageLoading
import Testing
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct ExpectedChangesTests {
    private let url = "http://h/0.jpg"

    private func loaded(_ expected: Duration?, _ source: ImageSource = .network) -> LoadEvent {
        var response = ImageResponse(
            image: .plain(8, 8),
            source: source,
            byteCount: 9,
            httpStatus: nil
        )
        response.expectedChange = expected
        return .finished(.success(response))
    }

    private func waits(_ seconds: Int) -> [Effect] {
        [.expectChange(url: url, after: .seconds(seconds))]
    }

    /// A gallery that has loaded the picture of a camera, which changes every ten seconds.
    private func camera() throws -> Gallery {
        var gallery = Gallery(count: 3)
        #expect(try load(loaded(.seconds(10)), in: &gallery) == waits(10))
        return gallery
    }

    private func load(_ event: LoadEvent, in gallery: inout Gallery) throws -> [Effect] {
        let slot = try #require(gallery.slot(ofItem: 0))
        return gallery.send(.slot(slot, event))
    }

    private func isRefreshed(_ effects: [Effect]) -> Bool {
        effects.contains { effect in
            if case .bind(_, 0, _, _, refreshing: true) = effect { true } else { false }
        }
    }

    @Test func `an image that changes often is requested again, without a flash`() throws {
        var gallery = try camera()

        #expect(isRefreshed(gallery.send(.changeExpected(url: url))))
        #expect(gallery.state.pool.slot(ofItem: 0)?.cellImage != nil)
        #expect(try load(loaded(.seconds(8)), in: &gallery) == waits(8))
    }

    @Test func `an image without caching information from its server is not refreshed`() throws {
        var gallery = Gallery(count: 3)

        #expect(try load(loaded(nil), in: &gallery).isEmpty)
    }

    @Test func `if the server fails, it is asked later and the image stays`() throws {
        var gallery = try camera()
        gallery.send(.changeExpected(url: url))

        #expect(try load(.failed(.notFound), in: &gallery) == waits(30))
        #expect(gallery.state.pool.slot(ofItem: 0)?.cellImage != nil)
    }

    @Test func `the refresh time runs once, even if the image is loaded often`() throws {
        var gallery = try camera()

        #expect(try load(loaded(nil, .memory), in: &gallery).isEmpty)
    }

    @Test func `an image from memory is still refreshed like a camera's`() throws {
        var gallery = try camera()
        let feed = try #require(try gallery.state.feed?.get())
        // Its time is over while something else is on the screen.
        gallery.send(.feed(.success(Feed(items: [], title: "none"))))
        #expect(gallery.send(.changeExpected(url: url)).isEmpty)

        gallery.send(.feed(.success(feed)))
        #expect(try load(loaded(nil, .memory), in: &gallery) == waits(10))
    }

    @Test func `while loading is paused, its time runs again`() throws {
        var gallery = try camera()
        gallery.press("z")

        #expect(gallery.send(.changeExpected(url: url)) == waits(10))
    }

    @Test func `the open image is refreshed, and one behind it later`() throws {
        var gallery = try camera()
        gallery.press(.enter)
        gallery.send(.detail(.load(loaded(.seconds(20)))))

        #expect(
            gallery.send(.changeExpected(url: url)) == [.detail(.open(item: 0, refreshing: true))]
        )
        #expect(gallery.send(.detail(.load(loaded(.seconds(20))))) == waits(20))
        gallery.press("n")
        #expect(gallery.send(.changeExpected(url: url)) == waits(20))
    }
}
