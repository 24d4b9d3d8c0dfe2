import Decoders
import Feeds
import GalleryCore
import ImageLoading
import SystemSupport
import TerminalUI

/// Plays one animation at a time.
///
/// The frames are decoded in parts at the size at which they are displayed. While a part plays, the
/// next part is decoded. Each frame is posted when it is due. The UI thread selects the animation,
/// and a task plays it. If the UI thread does not take a frame in time, the next frame replaces it.
final class AnimationPlayer {
    /// The maximum total size of the frames in a part, in bytes.
    ///
    /// Up to two parts are in memory at the same time.
    private static let partByteCount = 16 << 20
    /// The delay before an animation starts.
    ///
    /// It prevents animations from playing while the user scrolls past them.
    private static let rest = Duration.milliseconds(300)

    private let manager: ImageManager
    private let mailbox: Mailbox<GalleryMail>
    private let newest = WaitingFrame()
    private var target: AnimationTarget?
    private var task: Task<Void, Never>?

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>) {
        self.manager = manager
        self.mailbox = mailbox
    }

    /// Plays `target` from its first frame, unless it is already playing.
    ///
    /// If `target` is nil, the current animation is stopped.
    func follow(_ target: AnimationTarget?, request: (Int) -> ImageRequest?) {
        guard target != self.target else { return }
        self.target = target
        task?.cancel()
        task = nil
        newest.replace(with: nil)
        guard let target, let request = request(target.item) else { return }
        let reel = Reel(manager: manager, target: target, byteCount: Self.partByteCount)
        let (newest, mailbox) = (newest, mailbox)
        task = Task(executorPreference: StepExecutor.shared) {
            await AnimationPlayer.play(reel, request: request, newest: newest, mailbox: mailbox)
        }
    }

    private static func play(
        _ reel: Reel,
        request: ImageRequest,
        newest: WaitingFrame,
        mailbox: Mailbox<GalleryMail>
    ) async {
        do {
            try await Task.sleep(for: rest)
            try await reel.play(request) { frame in
                if newest.replace(with: frame) == nil {
                    mailbox.post(.frameReady(item: reel.target.item))
                }
            }
        } catch {
            // The load of the image itself reports errors, so the animation just stops.
        }
    }

    /// Returns the frame to show now, or nil if there is no new frame.
    ///
    /// Call this method on the UI thread.
    func takeFrame() -> PixelBuffer? { newest.replace(with: nil) }
}

/// The frame that the UI thread has not taken yet.
private final class WaitingFrame: Sendable {
    private let frame = Protected<PixelBuffer?>(nil)

    /// Stores `next`, and returns the frame that was waiting.
    @discardableResult
    func replace(with next: PixelBuffer?) -> PixelBuffer? {
        frame.withLock { frame in
            defer { frame = next }
            return frame
        }
    }
}

/// The frames of an animation, decoded in parts.
private struct Reel: Sendable {
    let manager: ImageManager
    let target: AnimationTarget
    let byteCount: Int

    /// Plays the animation for the number of loops declared in the file.
    func play(
        _ request: ImageRequest,
        show: @Sendable (PixelBuffer) -> Void
    ) async throws {
        let body = try await manager.data(for: request).bytes
        var part = try await part(of: body, from: 0)
        guard let loops = part?.loopCount ?? .some(.max), part != nil else { return }
        var (first, loop) = (0, 1)
        var next = ContinuousClock.now
        while let frames = part?.frames {
            let end = first + frames.count
            let isLast = end >= target.frameCount
            let following = isLast ? 0 : end
            // A short animation is decoded only once. For a longer animation, the next part is
            // decoded while the current part plays.
            let isWhole = first == 0 && isLast
            let held = isWhole ? part : nil
            async let ahead = ahead(held, of: body, from: following)
            for frame in frames {
                show(frame.pixels)
                // A late frame doesn't shorten the following frames.
                next = max(next, .now) + frame.duration
                try await Task.sleep(until: next, clock: .continuous)
            }
            if following == 0 {
                guard loop < loops else { return }
                loop += 1
            }
            part = try await ahead
            first = following
            if part == nil {
                // The file has fewer frames than it declares.
                guard first > 0 else { return }
                (part, first) = (try await self.part(of: body, from: 0), 0)
            }
        }
    }

    /// Returns `held`, or decodes the part that starts at frame `first` if `held` is nil.
    private func ahead(
        _ held: ImageAnimation?,
        of body: [UInt8],
        from first: Int
    ) async throws -> ImageAnimation? {
        if let held { return held }
        return try await part(of: body, from: first)
    }

    /// Returns the part of the animation that starts at frame `first`, or nil after the last frame.
    private func part(of body: [UInt8], from first: Int) async throws -> ImageAnimation? {
        do throws(ImageLoadingError) {
            return try await manager.frames(
                of: body,
                targetSize: target.size,
                contentMode: target.contentMode,
                AnimationRequest(firstFrame: first, maximumByteCount: byteCount)
            ).animation
        } catch {
            if case .decoding = error.reason, first > 0 { return nil }
            throw error
        }
    }
}
