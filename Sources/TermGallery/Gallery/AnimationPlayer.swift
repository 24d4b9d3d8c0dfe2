import Decoders
import GalleryCore
import ImageLoading

/// Plays one animation at a time: has its frames decoded, at the size they are shown and a part ahead,
/// and posts each when its time comes.
///
/// The UI thread says what is to play; the rest is done in a task. A frame that the UI thread has not
/// taken yet is replaced by the next.
final class AnimationPlayer {
    /// What the frames of a part may take; two parts are held.
    private static let partByteCount = 16 << 20
    /// Whoever scrolls by does not want to see it play.
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

    /// Plays `target` from its first frame, unless it does already; nil ends what plays.
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
            await AnimationPlayer.play(reel, request, newest, mailbox)
        }
    }

    private static func play(
        _ reel: Reel,
        _ request: ImageRequest,
        _ newest: WaitingFrame,
        _ mailbox: Mailbox<GalleryMail>
    ) async {
        do {
            try await Task.sleep(for: rest)
            try await reel.play(request) { frame in
                if newest.replace(with: frame) == nil {
                    mailbox.post(.frameReady(item: reel.target.item))
                }
            }
        } catch {
            // What goes wrong is said by the load of the picture; here it stands still.
        }
    }

    /// The frame to show now, if there is a new one; for the UI thread.
    func takeFrame() -> PixelBuffer? { newest.replace(with: nil) }
}

/// The frame that the UI thread has not taken yet.
private final class WaitingFrame: Sendable {
    private let frame = Protected<PixelBuffer?>(nil)

    /// Returns the one that waited.
    @discardableResult
    func replace(with next: PixelBuffer?) -> PixelBuffer? {
        frame.withLock { frame in
            defer { frame = next }
            return frame
        }
    }
}

/// The frames of an animation, part by part.
private struct Reel: Sendable {
    let manager: ImageManager
    let target: AnimationTarget
    let byteCount: Int

    /// Plays all of it as often as the file says.
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
            // Short ones are decoded once; of others the next part while this one plays.
            let isWhole = first == 0 && isLast
            let held = isWhole ? part : nil
            async let ahead = ahead(held, of: body, from: following)
            for frame in frames {
                show(frame.pixels)
                // What comes late is not caught up with.
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
                // The file has fewer frames than it says.
                guard first > 0 else { return }
                (part, first) = (try await self.part(of: body, from: 0), 0)
            }
        }
    }

    /// What is held, or else what is decoded.
    private func ahead(
        _ held: ImageAnimation?,
        of body: [UInt8],
        from first: Int
    ) async throws -> ImageAnimation? {
        if let held { return held }
        return try await part(of: body, from: first)
    }

    /// The frames from `first` on; nil if there are none.
    private func part(of body: [UInt8], from first: Int) async throws -> ImageAnimation? {
        do throws(ImageLoadingError) {
            return try await manager.frames(
                of: body,
                targetSize: target.size,
                AnimationRequest(firstFrame: first, maximumByteCount: byteCount)
            ).animation
        } catch {
            if case .decoding = error.reason, first > 0 { return nil }
            throw error
        }
    }
}
