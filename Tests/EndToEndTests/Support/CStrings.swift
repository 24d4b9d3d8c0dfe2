import Glibc

/// Strings as C wants the arguments and the environment of a program.
enum CStrings {
    /// Calls `body` with a list that ends with null and lasts as long as the call.
    static func with<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return try body(copies + [nil])
    }
}
