/// Counts the running transfers of each host against a limit.
struct HostSlots {
    private let limit: Int?
    private var running: [String: Int] = [:]

    init(limit: Int?) {
        self.limit = limit.map { max(1, $0) }
    }

    /// The host a request is counted under; one for all while there is no limit.
    func host(of key: DownloadKey) -> String { limit == nil ? "" : key.authority }

    func isOpen(_ host: String) -> Bool {
        guard let limit else { return true }
        return running[host, default: 0] < limit
    }

    mutating func take(_ host: String) {
        guard limit != nil else { return }
        running[host, default: 0] += 1
    }

    mutating func free(_ host: String) {
        guard let count = running[host] else { return }
        running[host] = count > 1 ? count - 1 : nil
    }
}
