/// The frames of an animation that are wanted: put together from the file's, made small, counted
/// against the limits.
struct Film {
    /// A frame as a file stores it.
    struct Frame {
        /// The part of the picture that it changes.
        let area: PixelRect
        let duration: Duration
        /// What becomes of that part before the next frame.
        let disposal: FrameDisposal
        /// Whether it is laid over what is there.
        let isBlended: Bool
        /// R, G, B, A of `area`; empty if they were not read.
        var pixels: [UInt8] = []
        /// Why `pixels` are not all of the frame.
        var damage: ImageDecodingError?

        /// Of `area`.
        var size: PixelSize { PixelSize(width: area.width, height: area.height) }
    }

    /// Reads the next frame, having asked `check` whether its size may be read; nil at the end.
    typealias Source = (
        _ check: (PixelSize) throws(ImageDecodingError) -> Void
    ) throws(ImageDecodingError) -> Frame?

    /// So many frames come at once at most.
    private static let maximumFrameCount = 4_096
    /// Delays up to this long are what browsers take for none.
    private static let noDelay = Duration.milliseconds(10)
    private static let usualDelay = Duration.milliseconds(100)

    private let plan: DecodingPlan
    private let request: AnimationRequest?
    private let loopCount: Int?
    private var canvas: AnimationCanvas?
    private var frames: [ImageAnimation.Frame] = []
    /// What is wrong with the first frame that is not whole.
    private var damage: ImageDecodingError?

    init(plan: DecodingPlan, request: AnimationRequest?, loopCount: Int?) {
        self.plan = plan
        self.request = request
        self.loopCount = loopCount
    }

    /// The image: the first frame, and those that were asked for.
    mutating func image(_ source: Source) throws(ImageDecodingError) -> DecodedImage {
        let first = max(0, request?.firstFrame ?? 0)
        let room = request?.maximumByteCount ?? 0
        var index = 0
        while let duration = try drawNext(source) {
            if index >= first, let canvas {
                let image = try plan.image(from: picture(on: canvas), isFinal: damage == nil)
                guard request != nil else { return image }
                try append(image.pixels, for: duration)
                let next = (frames.count + 1) * image.pixels.bytes.count
                if next > room || frames.count == Self.maximumFrameCount { break }
            }
            index += 1
        }
        guard let start = frames.first else { throw damage ?? .truncated(plan.properties.format) }
        return DecodedImage(
            pixels: start.pixels,
            properties: plan.properties,
            animation: ImageAnimation(frames: frames, loopCount: loopCount)
        )
    }

    /// Draws the next frame and returns how long it is shown; nil if there is none.
    private mutating func drawNext(_ source: Source) throws(ImageDecodingError) -> Duration? {
        try plan.checkCancellation()
        let plan = plan
        let frame: Frame?
        do throws(ImageDecodingError) {
            frame = try source { (size) throws(ImageDecodingError) in
                // The canvas, what a frame is to be taken back to, and the frame.
                try plan.checkMemory(
                    plan.storedSize.byteCount.saturatingMultiply(by: 2)
                        .saturatingAdd(size.byteCount)
                )
            }
        } catch {
            // Behind what can't be read nothing more can be found.
            guard error.isDamage, !frames.isEmpty else { throw error }
            return nil
        }
        guard let frame else { return nil }
        if let error = frame.damage {
            guard request != nil || plan.passesOver(error) else { throw error }
            guard error.isDamage || error == .empty else { throw error }
            damage = damage ?? error
        }
        if canvas == nil { canvas = AnimationCanvas(size: plan.storedSize) }
        canvas?.draw(frame)
        return frame.duration > Self.noDelay ? frame.duration : Self.usualDelay
    }

    private func picture(on canvas: AnimationCanvas) -> PixelBuffer {
        PixelBuffer(size: canvas.size, bytes: canvas.bytes, hasAlpha: plan.hasAlpha)
            .resampled(to: plan.storedTarget)
    }

    private mutating func append(
        _ pixels: PixelBuffer,
        for duration: Duration
    ) throws(ImageDecodingError) {
        frames.append(ImageAnimation.Frame(pixels: pixels, duration: duration))
        try plan.checkMemory(
            plan.storedSize.byteCount.saturatingMultiply(by: 2)
                .saturatingAdd(frames.count * pixels.bytes.count)
        )
    }
}
