import Decoders
import ImageLoading
import ImageLoadingTesting
import SystemSupport

/// A view that records the images it was told to show.
final class RecordingView: ImageDisplaying {
    private(set) var shown: [DecodedImage?] = []

    func display(_ image: DecodedImage?) {
        shown.append(image)
    }
}

extension DecodedImage {
    /// Returns a blank image that is identified by its width.
    static func blank(width: Int) -> DecodedImage {
        let size = PixelSize(width: width, height: 1)
        return DecodedImage(
            pixels: PixelBuffer(
                size: size,
                bytes: Array(repeating: 0, count: size.pixelCount * 4),
                hasAlpha: false
            ),
            properties: ImageProperties(
                format: .png,
                size: size,
                orientation: 1,
                hasAlpha: false,
                isProgressive: false
            )
        )
    }
}

/// Deliveries in transit to the test, which acts as the UI thread and decides when to take them.
final class Mail: Sendable {
    private struct State {
        var deliveries: [ImageDelivery] = []
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Protected(State())

    func post(_ delivery: ImageDelivery) {
        let waiter = state.withLock { state in
            state.deliveries.append(delivery)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    func takeAll() -> [ImageDelivery] {
        state.withLock { state in
            defer { state.deliveries = [] }
            return state.deliveries
        }
    }

    /// Waits until a delivery has arrived.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.deliveries.isEmpty { return true }
                state.waiter = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
