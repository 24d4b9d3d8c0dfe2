/// The reason bytes cannot be read as JSON.
package enum JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// libjansson is not installed.
    case noLibrary
    /// The text is invalid near the byte offset `position`.
    ///
    /// `reason` does not contain any part of the text.
    case invalid(position: Int, reason: String)

    /// A one-line description.
    package var description: String {
        switch self {
        case .noLibrary: "JSON feeds need libjansson.so.4: install libjansson4"
        case .invalid(let position, let reason): "invalid JSON near byte \(position): \(reason)"
        }
    }
}

/// The limits for a JSON document.
package struct JSONLimits: Hashable, Sendable {
    /// The maximum length of the text in bytes.
    package var byteCount: Int
    /// The maximum number of values, each of which takes up to 250 bytes of memory.
    package var valueCount: Int
    /// The maximum nesting depth of objects and arrays.
    package var depth: Int

    /// Creates limits; the defaults are enough for a document with a few thousand images.
    package init(byteCount: Int = 64 << 20, valueCount: Int = 1 << 20, depth: Int = 128) {
        (self.byteCount, self.valueCount, self.depth) = (byteCount, valueCount, depth)
    }
}
