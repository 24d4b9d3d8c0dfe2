import Decoders
import ImageLoading
import Testing

@testable import Feeds
@testable import GalleryCore

@Suite struct ShownLoadTests {
    private let image = DecodedImage.plain(8, 6)
    private let error = ImageLoadingError(
        stage: .download,
        kind: .transient,
        reason: .httpStatus(503)
    )

    private func loaded(_ source: ImageSource = .network) -> ShownLoad {
        var load = ShownLoad()
        #expect(load.apply(.image(image, source), hasImage: false) == .image(image))
        return load
    }

    @Test func `an item that cannot be loaded has failed from the start`() {
        let item = FeedItem(url: "ftp://h/0", caption: "", problem: "unknown scheme")
        #expect(ShownLoad(of: item).state.failure?.reason.contains("unknown scheme") == true)
        #expect(ShownLoad(of: FeedItem(url: "http://h/0")).state == .asked)
    }

    @Test func `a preview that arrives after the image is dropped`() {
        var load = ShownLoad()
        #expect(load.apply(.preview(image), hasImage: false) == .preview(image))
        _ = load.apply(.image(image, .network), hasImage: true)
        #expect(load.apply(.preview(image), hasImage: true) == ShownLoad.Change.none)
        #expect(load.state == .loaded(.network))
    }

    @Test func `the properties of another version are not those of the image`() {
        var load = ShownLoad()
        _ = load.apply(.image(image, .network), hasImage: false, takesFacts: false)
        #expect(load.facts.size == nil)
        _ = load.apply(.image(image, .network), hasImage: false)
        #expect(load.facts.size == image.properties.size)
    }

    @Test func `a failure removes the image, and says whether the rest may arrive later`() {
        var load = ShownLoad()
        #expect(load.apply(.failed(error), hasImage: true) == .removal(mayContinue: true))
        #expect(load.state.failure != nil)
        load = ShownLoad()
        #expect(load.apply(.failed(.notFound), hasImage: true) == .removal(mayContinue: false))
    }

    @Test func `a failed refresh keeps the image only if it was asked to`() {
        var load = loaded()
        load.restart(keepsOnFailure: true)
        #expect(load.apply(.failed(.notFound), hasImage: true) == ShownLoad.Change.none)
        #expect(load.state == .loaded(.network) && load.isStale)

        load.restart(keepsOnFailure: false)
        #expect(load.apply(.failed(.notFound), hasImage: true) == .removal(mayContinue: false))
        load = loaded()
        load.restart(keepsOnFailure: true)
        #expect(load.apply(.failed(.notFound), hasImage: false) == .removal(mayContinue: false))
    }

    @Test func `a cancelled refresh keeps the image, and a cancelled first load has none`() {
        var load = ShownLoad()
        #expect(load.cancel(hasImage: true) == .removal(mayContinue: false))
        load = loaded(.disk)
        #expect(load.cancel(hasImage: true) == ShownLoad.Change.none)
        load.restart(keepsOnFailure: false)
        #expect(load.apply(.failed(.cancelled), hasImage: true) == ShownLoad.Change.none)
        #expect(load.state == .loaded(.disk) && !load.isStale)
    }
}
