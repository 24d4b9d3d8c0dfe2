public import Decoders

/// Changes a decoded picture; its identifier is part of the key under which the result is kept (row
/// M28).
public struct ImageProcessor: Sendable {
    /// Names what is done, parameters included: equal names stand for equal results.
    public let identifier: String
    /// Makes the new picture; nil ends the load with `processing` (row M29).
    ///
    /// Called on a decode thread; may take long, but should look at the second argument, which says
    /// whether the result is still wanted.
    public let process: @Sendable (DecodedImage, _ isCancelled: () -> Bool) -> DecodedImage?

    /// Makes a processor.
    public init(
        identifier: String,
        process: @escaping @Sendable (DecodedImage, _ isCancelled: () -> Bool) -> DecodedImage?
    ) {
        self.identifier = identifier
        self.process = process
    }
}

extension ImageProcessor: Hashable {
    /// Processors are equal if their identifiers are.
    public static func == (left: ImageProcessor, right: ImageProcessor) -> Bool {
        left.identifier == right.identifier
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
    }
}
