internal import CSandbox
internal import Decoders
internal import SystemSupport

// Requests and responses as Swift values. The program does not trust a helper: it checks every
// number in a response against the request.

extension csandbox_request {
    init(_ options: DecodingOptions, byteCount: Int, work: csandbox_work) {
        self.init()
        byte_count = UInt64(byteCount)
        self.work = work
        target_width = Int64(options.targetSize?.width ?? -1)
        target_height = Int64(options.targetSize?.height ?? -1)
        let limits = options.limits
        maximum_pixel_count = Int64(limits.maximumPixelCount)
        maximum_byte_count = Int64(limits.maximumByteCount)
        maximum_side = Int64(limits.maximumSide)
        maximum_scan_count = Int64(limits.maximumScanCount)
        maximum_metadata_byte_count = Int64(limits.maximumMetadataByteCount)
        maximum_nanoseconds = limits.maximumDuration.nanoseconds
        first_frame = Int64(options.animation?.firstFrame ?? -1)
        maximum_animation_byte_count = Int64(options.animation?.maximumByteCount ?? 0)
        fills = options.contentMode == .fill
        accepts_truncation = options.acceptsTruncation
        accepts_damage = options.acceptsDamage
        accepts_thumbnail = options.acceptsThumbnail
        accepts_larger = options.acceptsLarger
        uses_fast_paths = options.usesFastPaths
    }
}

extension DecodingOptions {
    init(_ request: csandbox_request, isCancelled: @escaping @Sendable () -> Bool) {
        var limits = DecodingLimits(
            maximumPixelCount: Int(request.maximum_pixel_count),
            maximumByteCount: Int(request.maximum_byte_count)
        )
        limits.maximumSide = Int(request.maximum_side)
        limits.maximumScanCount = Int(request.maximum_scan_count)
        limits.maximumMetadataByteCount = Int(request.maximum_metadata_byte_count)
        limits.maximumDuration = .nanoseconds(request.maximum_nanoseconds)
        let target = PixelSize(
            width: Int(request.target_width),
            height: Int(request.target_height)
        )
        let animation = AnimationRequest(
            firstFrame: Int(request.first_frame),
            maximumByteCount: Int(request.maximum_animation_byte_count)
        )
        self.init(
            targetSize: request.target_width < 0 ? nil : target,
            contentMode: request.fills ? .fill : .fit,
            limits: limits,
            acceptsTruncation: request.accepts_truncation,
            acceptsDamage: request.accepts_damage,
            acceptsThumbnail: request.accepts_thumbnail,
            animation: request.first_frame < 0 ? nil : animation,
            usesFastPaths: request.uses_fast_paths,
            isCancelled: isCancelled
        )
        acceptsLarger = request.accepts_larger
    }
}

// MARK: - Images

extension csandbox_answer {
    mutating func set(_ image: DecodedImage) {
        let (properties, pixels) = (image.properties, image.pixels)
        width = Int64(properties.size.width)
        height = Int64(properties.size.height)
        orientation = UInt32(clamping: properties.orientation)
        has_alpha = properties.hasAlpha
        is_progressive = properties.isProgressive
        announced_frame_count = Int64(properties.frameCount)
        pixel_width = Int64(pixels.size.width)
        pixel_height = Int64(pixels.size.height)
        pixels_have_alpha = pixels.hasAlpha
        is_final = image.isFinal
        is_thumbnail = image.isThumbnail
        frame_count = Int64(image.animation?.frames.count ?? 0)
        loop_count = Int64(image.animation?.loopCount ?? -1)
    }

    /// Returns the total size in bytes of the pixels and durations announced in the response.
    ///
    /// Returns nil if the announced numbers are invalid or exceed `limits`.
    func contentByteCount(limits: DecodingLimits) -> Int? {
        let sides = 0...Int64(max(limits.maximumSide, 0))
        guard sides.contains(pixel_width), sides.contains(pixel_height),
            (0...Int64(1 << 20)).contains(frame_count)
        else { return nil }
        let frames = Int(max(frame_count, 1))
        let (rowByteCount, isTooWide) = Int(pixel_width).multipliedReportingOverflow(by: 4)
        let (byteCount, isTooHigh) =
            rowByteCount
            .multipliedReportingOverflow(by: Int(pixel_height))
        let (count, isTooMany) = byteCount.multipliedReportingOverflow(by: frames)
        guard !isTooWide, !isTooHigh, !isTooMany, count <= limits.maximumByteCount else {
            return nil
        }
        return count + (frame_count > 0 ? frames * 8 : 0)
    }

    /// Returns the image properties in the response, or nil if a value is out of range.
    func properties(format: ImageFormat, limits: DecodingLimits) -> ImageProperties? {
        let sides = 1...Int64(Int32.max)
        guard sides.contains(width), sides.contains(height), (1...8).contains(orientation),
            sides.contains(announced_frame_count)
        else { return nil }
        return ImageProperties(
            format: format,
            size: PixelSize(width: Int(width), height: Int(height)),
            orientation: Int(orientation),
            hasAlpha: has_alpha,
            isProgressive: is_progressive,
            frameCount: Int(announced_frame_count)
        )
    }

    /// Returns the image of a response; `content` must have the size returned by
    /// `contentByteCount`.
    func image(_ properties: ImageProperties, _ content: [UInt8]) -> DecodedImage {
        let size = PixelSize(width: Int(pixel_width), height: Int(pixel_height))
        let byteCount = size.pixelCount * 4
        guard frame_count > 0 else {
            let pixels = PixelBuffer(size: size, bytes: content, hasAlpha: pixels_have_alpha)
            return DecodedImage(
                pixels: pixels,
                properties: properties,
                isFinal: is_final,
                isThumbnail: is_thumbnail
            )
        }
        let durations = content[(Int(frame_count) * byteCount)...]
        let frames = (0..<Int(frame_count)).map { index in
            let start = durations.startIndex + index * 8
            let duration = durations[start..<start + 8].littleEndian
            return ImageAnimation.Frame(
                pixels: PixelBuffer(
                    size: size,
                    bytes: Array(content[(index * byteCount)..<((index + 1) * byteCount)]),
                    hasAlpha: pixels_have_alpha
                ),
                duration: .nanoseconds(Int64(clamping: duration))
            )
        }
        return DecodedImage(
            pixels: frames[0].pixels,
            properties: properties,
            isFinal: is_final,
            animation: ImageAnimation(
                frames: frames,
                loopCount: loop_count < 0 ? nil : Int(clamping: loop_count)
            )
        )
    }
}

// MARK: - Errors

extension csandbox_answer {
    mutating func set(_ error: ImageDecodingError) {
        switch error {
        case .unsupportedFormat(let kind): set(1, kind)
        case .truncated: set(2)
        case .corrupt(_, let reason): set(3, reason)
        case .unsupportedFeature(_, let feature): set(4, feature)
        case .tooManyPixels(let size, let limit): set(5, "", size.width, size.height, limit)
        case .sideTooLong(let size, let limit): set(6, "", size.width, size.height, limit)
        case .tooMuchMemory(let byteCount, let limit): set(7, "", byteCount, limit)
        case .tooMuchTime(let spent, let limit):
            set(8, "", Int(spent.nanoseconds), Int(limit.nanoseconds))
        case .tooManyScans(let limit): set(9, "", limit)
        case .tooMuchMetadata(let byteCount, let limit): set(10, "", byteCount, limit)
        case .empty: set(11)
        case .cancelled: set(12)
        case .isolationUnavailable(let text): set(13, text)
        // From a decoder that isolates itself.
        case .decoderCrashed(let text): set(14, text)
        case .libraryMissing(_, let package): set(15, package)
        }
    }

    private mutating func set(
        _ code: UInt32,
        _ text: String = "",
        _ first: Int = 0,
        _ second: Int = 0,
        _ third: Int = 0
    ) {
        status = code
        (self.first, self.second, self.third) = (Int64(first), Int64(second), Int64(third))
        let bytes = text.utf8.prefix(Int(csandbox_text_capacity))
        text_count = UInt32(bytes.count)
        let start = csandbox_text(&self)
        for (index, byte) in bytes.enumerated() { start[index] = CChar(bitPattern: byte) }
    }

    /// Returns the error in a response for a file of `format`, or nil if the error code is invalid.
    func error(format: ImageFormat) -> ImageDecodingError? {
        let (first, second, third) = (Int(first), Int(second), Int(third))
        switch status {
        case 1: return .unsupportedFormat(errorText)
        case 2: return .truncated(format)
        case 3: return .corrupt(format, errorText)
        case 4: return .unsupportedFeature(format, errorText)
        case 5: return .tooManyPixels(PixelSize(width: first, height: second), limit: third)
        case 6: return .sideTooLong(PixelSize(width: first, height: second), limit: third)
        case 7: return .tooMuchMemory(byteCount: max(0, first), limit: max(0, second))
        case 8: return .tooMuchTime(.nanoseconds(first), limit: .nanoseconds(second))
        case 9: return .tooManyScans(limit: first)
        case 10: return .tooMuchMetadata(byteCount: max(0, first), limit: max(0, second))
        case 11: return .empty
        case 12: return .cancelled
        case 13: return .isolationUnavailable(errorText)
        case 14: return .decoderCrashed(errorText)
        case 15: return .libraryMissing(format, package: errorText)
        default: return nil
        }
    }

    /// The error text with control characters escaped.
    ///
    /// An attacker who controls the helper could use these characters to control a terminal.
    private var errorText: String {
        var copy = self
        let count = Int(min(text_count, UInt32(csandbox_text_capacity)))
        let start = UnsafeRawPointer(csandbox_text(&copy))
        return EscapedText.of(
            String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        )
    }
}

extension Duration {
    /// The duration in nanoseconds, between 0 and 3 × 10¹⁸ (about 95 years).
    var nanoseconds: Int64 {
        Int64(min(max(self / .nanoseconds(1), 0), 3e18))
    }
}
