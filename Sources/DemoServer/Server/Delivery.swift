/// The pace of one body: what to send next and how long to wait behind it.
///
/// Every chunk is paid for after it is sent, the last one too, so that a body of n bytes takes
/// n / bandwidth seconds.
struct Delivery {
    enum Step: Equatable {
        /// Sends these bytes of the body, then waits.
        case send(Range<Int>, pause: Duration)
        /// The answer is over and the connection stays.
        case finish
        /// The connection is closed.
        case close
        /// The connection is reset.
        case reset
        /// Nothing more happens until the client leaves.
        case stall
    }

    private let limit: Int
    private let last: Step
    private let bandwidth: Int?
    private let chunk: Int
    private var position = 0

    /// Twenty chunks a second look steady to a progress bar; 64 KiB keeps the memory small.
    init(byteCount: Int, ending: Reply.Ending, bandwidth: Int?) {
        (limit, last) =
            switch ending {
            case .keepOpen: (byteCount, .finish)
            case .close(let count): (min(count, byteCount), .close)
            case .reset(let count): (min(count, byteCount), .reset)
            case .stall(let count): (min(count, byteCount), .stall)
            }
        self.bandwidth = bandwidth
        chunk = max(1, min(bandwidth.map { $0 / 20 } ?? 65_536, 65_536))
    }

    /// The next step; after the last one it is repeated.
    mutating func next() -> Step {
        guard position < limit else { return last }
        let range = position..<min(position + chunk, limit)
        position = range.upperBound
        let pause = bandwidth.map { Duration.seconds(Double(range.count) / Double($0)) } ?? .zero
        return .send(range, pause: pause)
    }
}
