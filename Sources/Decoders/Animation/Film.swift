/// Creates the displayed frames of an animation from the frames stored in its file.
///
/// The displayed frames are scaled to the requested size. The request and `maximumFrameCount` limit
/// the number of frames.
struct Film {
    /// A frame as stored in a file.
    struct Frame {
        /// The part of the image that the frame changes.
        let area: PixelRect
        let duration: Duration
        /// The action to apply to `area` before the next frame is drawn.
        let disposal: FrameDisposal
        /// Whether the frame is blended over the existing pixels.
        let isBlended: Bool
        /// The R, G, B, A pixels of `area`; empty if the pixels were not read.
        var pixels: [UInt8] = []
        /// The error that made `pixels` incomplete, or nil if they are complete.
        var damage: ImageDecodingError?

        var size: PixelSize { PixelSize(width: area.width, height: area.height) }
    }

    /// A function that returns the next frame of the file, or nil at the end.
    ///
    /// Before the function reads the pixels, it must call `check` with the size of the frame.
    typealias Source = (
        _ check: (PixelSize) throws(ImageDecodingError) -> Void
    ) throws(ImageDecodingError) -> Frame?

    /// The maximum number of frames in one request.
    private static let maximumFrameCount = 4_096
    /// The longest delay that is replaced by `usualDelay`, as in browsers.
    private static let noDelay = Duration.milliseconds(10)
    private static let usualDelay = Duration.milliseconds(100)

    private let plan: DecodingPlan
    private let request: AnimationRequest?
    private let loopCount: Int?
    private var canvas: AnimationCanvas?
    private var frames: [ImageAnimation.Frame] = []
    /// The error in the first incomplete frame.
    private var damage: ImageDecodingError?

    init(plan: DecodingPlan, request: AnimationRequest?, loopCount: Int?) {
        self.plan = plan
        self.request = request
        self.loopCount = loopCount
    }

    /// Returns an image with the requested frames or, without a request, only the first frame.
    ///
    /// `source` supplies the stored frames.
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

    /// Draws the next frame and returns its display time, or nil if there are no more frames.
    private mutating func drawNext(_ source: Source) throws(ImageDecodingError) -> Duration? {
        try plan.checkCancellation()
        let plan = plan
        let frame: Frame?
        do throws(ImageDecodingError) {
            frame = try source { (size) throws(ImageDecodingError) in
                // Counts the canvas, the area saved for the `restore` disposal, and the frame's
                // pixels.
                try plan.checkMemory(
                    plan.storedSize.byteCount.saturatingMultiply(by: 2)
                        .saturatingAdd(size.byteCount)
                )
            }
        } catch {
            // The frames after an unreadable frame cannot be located.
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
