/// Counts the running transfers, all of them and each host's against a limit.
struct HostSlots: Sendable {
    private let limit: Int?
    /// Slots taken on all hosts.
    private(set) var takenCount = 0
    private var running: [String: Int] = [:]

    init(limit: Int?) {
        self.limit = limit.map { max(1, $0) }
    }

    func isOpen(_ host: String) -> Bool {
        guard let limit else { return true }
        return running[host, default: 0] < limit
    }

    mutating func take(_ host: String) {
        takenCount += 1
        running[host, default: 0] += 1
    }

    mutating func free(_ host: String) {
        guard let count = running[host] else { return }
        takenCount -= 1
        running[host] = count > 1 ? count - 1 : nil
    }
}
