/// Reads the boxes of an ISO base media file (ISO/IEC 14496-12, section 4.2).
///
///     size (32) | type (4 letters) | size (64) if the first size is 1 | content
///
/// Sizes are untrusted and include the header. The size 0 means that the box extends to the end of
/// its container.
struct MediaBoxes {
    /// A box whose content may be cut off at the end of the file.
    struct Box {
        let type: String
        let content: Range<Int>
        /// Whether the content is incomplete.
        let isCut: Bool
    }

    /// The maximum number of boxes read in one container; cameras write up to 20.
    private static let maximumCount = 256

    let file: BigEndianBuffer

    /// Returns the boxes in `container`, or in the whole file if `container` is nil.
    func boxes(in container: Range<Int>? = nil) -> [Box] {
        let container = container ?? 0..<file.bytes.count
        var boxes: [Box] = []
        var start = container.lowerBound
        while boxes.count < Self.maximumCount, let (box, end) = box(at: start, in: container) {
            boxes.append(box)
            start = end
        }
        return boxes
    }

    /// Returns the content of the box found by following `path`, a list of types.
    func content(_ path: String..., in container: Range<Int>) -> Range<Int>? {
        path.reduce(Optional(container)) { container, type in
            container.flatMap { boxes(in: $0).first { $0.type == type }?.content }
        }
    }

    private func box(at start: Int, in container: Range<Int>) -> (box: Box, end: Int)? {
        guard container.contains(start), let short = file.uint32(at: start),
            let type = file.text(at: start + 4)
        else { return nil }
        let headerByteCount = short == 1 ? 16 : 8
        let size = short == 1 ? file.number(at: start + 8, byteCount: 8) : short
        guard let size else { return nil }
        let end = size == 0 ? container.upperBound : start.saturatingAdd(size)
        let content = start + headerByteCount
        guard end >= content, content <= container.upperBound else { return nil }
        let range = content..<min(end, container.upperBound)
        return (Box(type: type, content: range, isCut: end > file.bytes.count), end)
    }
}
