import Decoders
import ImageLoading
import VirtualTerminal

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// A gallery with a feed and a screen, and its effects.
struct Gallery {
    var state: GalleryState
    private(set) var effects: [Effect] = []

    /// Opens `count` items ("Picture 0" …) on a screen; unless told otherwise, 80×24 holds four by
    /// two tiles, for tests of what happens and not of how it looks.
    init(
        count: Int = 100,
        columns: Int = 80,
        rows: Int = 24,
        capabilities: ScreenCapabilities = .color,
        tileWidth: Int? = 17
    ) {
        state = GalleryState(
            capabilities: capabilities,
            settings: GallerySettings(tileWidth: tileWidth)
        )
        effects = state.update(.resize(ScreenSize(columns: columns, rows: rows)))
        let items = (0..<count).map {
            FeedItem(url: "http://h/\($0).jpg", caption: "Picture \($0)")
        }
        effects += state.update(.feed(.success(Feed(items: items, title: "test"))))
    }

    /// Sends messages; returns all effects.
    @discardableResult
    mutating func send(_ messages: Message...) -> [Effect] {
        messages.flatMap { state.update($0) }
    }

    /// Presses keys written as characters.
    @discardableResult
    mutating func press(_ keys: Key...) -> [Effect] {
        keys.flatMap { state.update(.input(.key($0))) }
    }

    /// Presses a key for each character.
    @discardableResult
    mutating func press(_ text: String) -> [Effect] {
        text.flatMap { state.update(.input(.key(.character($0)))) }
    }

    /// The slot that shows an item.
    func slot(ofItem item: Int) -> Int? {
        state.pool.slots.firstIndex { $0.item == item }
    }

    /// The screen as lines without their trailing blanks.
    var lines: [String] { state.frame().lines }
}

extension DecodedImage {
    static func plain(
        _ width: Int,
        _ height: Int,
        _ rgba: [UInt8] = [200, 100, 50, 255]
    ) -> DecodedImage {
        DecodedImage(.plain(width, height, rgba))
    }

    /// Creates an image; `size` is the size of the file, even if fewer pixels are decoded.
    init(_ pixels: PixelBuffer, of size: PixelSize? = nil) {
        let properties = ImageProperties(
            format: .jpeg,
            size: size ?? pixels.size,
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
        self.init(pixels: pixels, properties: properties)
    }
}

extension LoadEvent {
    /// A picture that may still change.
    static func preview(_ image: DecodedImage) -> LoadEvent {
        .preview(response(image, .network))
    }

    /// The end with a picture.
    static func image(
        _ image: DecodedImage,
        _ source: ImageSource,
        isStale: Bool = false
    ) -> LoadEvent {
        var response = response(image, source)
        response.isStale = isStale
        return .finished(.success(response))
    }

    /// The end without one.
    static func failed(_ error: ImageLoadingError) -> LoadEvent {
        .finished(.failure(error))
    }

    private static func response(_ image: DecodedImage, _ source: ImageSource) -> ImageResponse {
        ImageResponse(image: image, source: source, byteCount: 0, httpStatus: nil)
    }
}

extension ImageLoadingError {
    static let notFound = ImageLoadingError(
        stage: .download,
        kind: .permanent,
        reason: .httpStatus(404)
    )
}
