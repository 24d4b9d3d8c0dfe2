import Decoders
import Feeds
import GalleryCore
import ImageLoading
import SystemSupport
import TerminalUI

/// Loads the covers of folder cells by listing each folder and loading up to four images.
///
/// Each image is loaded by a separate operation. When a cell leaves the screen, its operations are
/// cancelled, and its folder is not listed if listing has not started yet. Use this class on the UI
/// thread only.
final class FolderCovers {
    /// The closure that receives the events for a slot.
    var listener: (_ slot: Int, _ event: CoverEvent) -> Void = { _, _ in }

    /// An event from another thread.
    struct Delivery: Sendable {
        enum Event: Sendable {
            case listed(Result<FolderContents, FileFailure>)
            case loaded(index: Int, Result<ImageResponse, ImageLoadingError>)
            case composed(PixelBuffer?)
        }

        let slot: Int
        /// The number of the cover, which indicates whether the slot still shows the same folder.
        let number: Int
        let event: Event
    }

    /// The size and appearance of a cover.
    struct Look: Sendable {
        let size: PixelSize
        /// The number of pixels between two images.
        let gap: Int
        let ground: RGB

        init(filling size: PixelSize, on capabilities: ScreenCapabilities) {
            self.size = size
            gap = capabilities.graphics == nil ? 1 : max(2, capabilities.cellPixels.width / 3)
            ground = capabilities.backdrop.card
        }
    }

    private struct Cover {
        let number: Int
        let look: Look
        let options: LoadingOptions
        var operations: [LoadOperation] = []
        var images: [Int: PixelBuffer] = [:]
        var error: ImageLoadingError?
        var pendingCount = 0
    }

    private let manager: ImageManager
    private let mailbox: Mailbox<GalleryMail>
    private let pool = WorkerPool(name: "covers", threadCount: 1)
    private var covers: [Int: Cover] = [:]
    /// The numbers of the covers whose folders have not been listed yet.
    private let listed = Protected<Set<Int>>([])
    private var lastNumber = 0

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>) {
        (self.manager, self.mailbox) = (manager, mailbox)
    }

    /// Lists a folder, loads its cover into a slot, and cancels the slot's previous cover.
    func bind(
        slot: Int,
        to path: String,
        includesHidden: Bool,
        look: Look,
        options: LoadingOptions
    ) {
        unbind(slot)
        lastNumber += 1
        let number = lastNumber
        covers[slot] = Cover(number: number, look: look, options: options)
        listed.withLock { _ = $0.insert(number) }
        pool.submit(priority: .normal) { [listed, mailbox] in
            guard listed.withLock({ $0.remove(number) }) != nil else { return }
            let contents = Result { () throws(FileFailure) in
                try FolderContents(of: path, includesHidden: includesHidden)
            }
            mailbox.post(.cover(Delivery(slot: slot, number: number, event: .listed(contents))))
        }
    }

    /// Cancels the loads for a slot.
    func unbind(_ slot: Int) {
        guard let cover = covers.removeValue(forKey: slot) else { return }
        listed.withLock { _ = $0.remove(cover.number) }
        for operation in cover.operations { operation.cancel() }
    }

    /// Cancels the loads for all slots.
    func cancelAll() { for slot in Array(covers.keys) { unbind(slot) } }

    /// Handles an event from another thread; late events are ignored.
    func accept(_ delivery: Delivery) {
        let slot = delivery.slot
        guard covers[slot]?.number == delivery.number else { return }
        switch delivery.event {
        case .listed(.failure(let failure)): end(slot, .unreadable(failure.text))
        case .listed(.success(let contents)):
            listener(slot, .listed(contents))
            load(contents.coverURLs, into: slot)
        case .loaded(let index, .success(let response)):
            covers[slot]?.images[index] = response.image.pixels
            listener(slot, .loaded(from: response.source))
            finishLoad(of: slot)
        case .loaded(_, .failure(let error)):
            covers[slot]?.error = error
            finishLoad(of: slot)
        case .composed(let pixels): end(slot, .finished(pixels))
        }
    }

    private func load(_ urls: [String], into slot: Int) {
        guard let cover = covers[slot], !urls.isEmpty else { return end(slot, .finished(nil)) }
        covers[slot]?.pendingCount = urls.count
        let areas = FolderCover.areas(
            count: urls.count,
            in: cover.look.size,
            gap: cover.look.gap
        )
        for (index, (url, area)) in zip(urls, areas).enumerated() {
            let request = ImageRequest(
                url: url,
                targetSize: PixelSize(width: max(1, area.width), height: max(1, area.height)),
                contentMode: .fill,
                options: cover.options,
                priority: .normal
            )
            let number = cover.number
            let operation = manager.load(request) { [mailbox] event in
                guard case .finished(let result) = event else { return }
                let event = Delivery.Event.loaded(index: index, result)
                mailbox.post(.cover(Delivery(slot: slot, number: number, event: event)))
            }
            covers[slot]?.operations.append(operation)
        }
    }

    /// Composes the cover if the last of its loads has ended.
    ///
    /// If the cover consists of real pixels, this takes milliseconds, so it is not done on the UI
    /// thread.
    private func finishLoad(of slot: Int) {
        covers[slot]?.pendingCount -= 1
        guard let cover = covers[slot], cover.pendingCount == 0 else { return }
        if cover.images.isEmpty, let error = cover.error { return end(slot, .failed(error)) }
        let images = cover.images.sorted { $0.key < $1.key }.map(\.value)
        pool.submit(priority: .high) { [mailbox, look = cover.look, number = cover.number] in
            let pixels = FolderCover.composed(
                of: images,
                size: look.size,
                gap: look.gap,
                ground: look.ground
            )
            mailbox.post(.cover(Delivery(slot: slot, number: number, event: .composed(pixels))))
        }
    }

    private func end(_ slot: Int, _ event: CoverEvent) {
        covers[slot] = nil
        listener(slot, event)
    }
}
