import Decoders

/// What a request's path names.
enum Route: Equatable {
    case index
    case feed
    case counters
    case picture(number: Int, format: ImageFormat)
    case nothing

    /// Reads a path such as `/pictures/17.jpg`.
    init(path: Substring, count: Int) {
        switch path {
        case "/", "/index.html": self = .index
        case "/feed.txt": self = .feed
        case "/counters.json": self = .counters
        default: self = Self.picture(path, count: count) ?? .nothing
        }
    }

    private static func picture(_ path: Substring, count: Int) -> Route? {
        guard path.hasPrefix("/pictures/") else { return nil }
        let parts = path.dropFirst(10).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), (1...max(1, count)).contains(number),
            String(number) == parts[0]
        else { return nil }
        switch parts[1] {
        case "jpg": return .picture(number: number, format: .jpeg)
        case "png": return .picture(number: number, format: .png)
        default: return nil
        }
    }
}
