/// The action applied to a frame's area before the next frame is drawn.
enum FrameDisposal {
    case keep
    /// Makes the frame's area transparent.
    case clear
    /// Restores the pixels that were in the frame's area before the frame was drawn.
    case restore
}

/// The image on which the frames of an animated file are drawn one after another.
///
/// Pixels are R, G, B, A with straight alpha, initially transparent.
///
/// The rules are common to GIF (89a, section 23), APNG (PNG, third edition, section 11.3.2) and
/// WebP (RFC 9649, section 2.7.1.1).
struct AnimationCanvas {
    let size: PixelSize
    /// The pixels; empty before the first frame.
    private(set) var bytes: [UInt8] = []
    /// The disposal and area of the last frame, applied before the next frame is drawn.
    private var disposal: (kind: FrameDisposal, area: PixelRect)?
    /// The pixels that were in the last frame's area before that frame was drawn.
    ///
    /// Used only if the frame's disposal is `restore`.
    private var saved: [UInt8] = []

    init(size: PixelSize) {
        self.size = size
    }

    /// Draws a frame, clipped to the canvas.
    mutating func draw(_ frame: Film.Frame) {
        dispose()
        // The file may place a frame anywhere, even outside the canvas; only the part on the canvas
        // is drawn.
        let area = frame.area.clamped(to: size)
        disposal = (frame.disposal, area)
        let isWhole = area.width == size.width && area.height == size.height
        if bytes.isEmpty, isWhole, frame.area == area, frame.pixels.count == size.byteCount,
            frame.disposal != .restore
        {
            // The canvas is empty, so blending makes no difference.
            bytes = frame.pixels
            return
        }
        if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: size.byteCount) }
        if frame.disposal == .restore { saved = rows(of: area) }
        guard area.width > 0, area.height > 0,
            frame.pixels.count == frame.size.byteCount
        else { return }
        for row in 0..<area.height {
            let source =
                ((area.y - frame.area.y + row) * frame.area.width + area.x - frame.area.x) * 4
            let target = ((area.y + row) * size.width + area.x) * 4
            if frame.isBlended {
                blend(frame.pixels, source, over: target, pixelCount: area.width)
            } else {
                let count = area.width * 4
                bytes.replaceSubrange(
                    target..<target + count,
                    with: frame.pixels[source..<source + count]
                )
            }
        }
    }

    /// Keeps, clears or restores the last frame's area, depending on the frame's disposal.
    private mutating func dispose() {
        guard let (kind, area) = disposal else { return }
        disposal = nil
        let count = area.width * 4
        for row in 0..<area.height {
            let start = ((area.y + row) * size.width + area.x) * 4
            switch kind {
            case .keep: return
            case .clear:
                bytes.withUnsafeMutableBufferPointer { bytes in
                    bytes[start..<start + count].update(repeating: 0)
                }
            case .restore:
                bytes.replaceSubrange(
                    start..<start + count,
                    with: saved[(row * count)..<((row + 1) * count)]
                )
            }
        }
        saved = []
    }

    private func rows(of area: PixelRect) -> [UInt8] {
        (0..<area.height).flatMap { row -> ArraySlice<UInt8> in
            let start = ((area.y + row) * size.width + area.x) * 4
            return bytes[start..<start + area.width * 4]
        }
    }

    /// Blends a frame's pixels over the canvas (PNG, third edition, section 13.16).
    private mutating func blend(
        _ pixels: [UInt8],
        _ source: Int,
        over target: Int,
        pixelCount: Int
    ) {
        bytes.withUnsafeMutableBytes { bytes in
            pixels.withUnsafeBytes { pixels in
                for index in 0..<pixelCount {
                    let (from, to) = (source + index * 4, target + index * 4)
                    let alpha = pixels[from + 3]
                    if alpha == 255 {
                        // Nearly all pixels are either opaque or transparent.
                        let pixel = pixels.loadUnaligned(fromByteOffset: from, as: UInt32.self)
                        bytes.storeBytes(of: pixel, toByteOffset: to, as: UInt32.self)
                    } else if alpha > 0 {
                        Self.mix(pixels, from: from, over: bytes, to: to)
                    }
                }
            }
        }
    }

    private static func mix(
        _ pixels: UnsafeRawBufferPointer,
        from: Int,
        over bytes: UnsafeMutableRawBufferPointer,
        to: Int
    ) {
        let alpha = Int(pixels[from + 3])
        let below = Int(bytes[to + 3]) * (255 - alpha) / 255
        let sum = alpha + below
        for channel in 0..<3 {
            let mixed = Int(pixels[from + channel]) * alpha + Int(bytes[to + channel]) * below
            bytes[to + channel] = UInt8((mixed + sum / 2) / sum)
        }
        bytes[to + 3] = UInt8(sum)
    }
}
