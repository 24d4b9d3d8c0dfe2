/// An asynchronous sequence of values extracted from the events of a load, such as its images.
///
/// If the load fails, the sequence throws the error.
struct LoadedValues<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = ImageLoadingError
    /// A closure that extracts a value from an event, or returns nil to skip the event.
    typealias Extraction = @Sendable (LoadEvent) throws(ImageLoadingError) -> Element?

    private let events: LoadEvents
    private let extract: Extraction

    init(events: LoadEvents, extract: @escaping Extraction) {
        self.events = events
        self.extract = extract
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(events: events.makeAsyncIterator(), extract: extract)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: LoadEvents.Iterator
        fileprivate let extract: Extraction

        mutating func next() async throws(ImageLoadingError) -> Element? {
            try await next(isolation: nil)
        }

        mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ImageLoadingError) -> Element? {
            while let event = await events.next(isolation: actor) {
                if let value = try extract(event) { return value }
            }
            return nil
        }
    }
}
