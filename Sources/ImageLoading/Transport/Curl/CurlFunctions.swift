internal import CCurl

/// libcurl's functions, loaded when the first transport starts its thread.
///
/// Belongs to one curl thread, as everything made with it does.
final class CurlFunctions {
    /// Initialises libcurl once in the process, inside Swift's own lock: older builds of it don't
    /// allow two threads to do so at once.
    private static let isInitialised: Bool = {
        guard let functions = CurlFunctions(loading: ()) else { return false }
        // CURL_GLOBAL_ALL, a macro that Swift can't see: CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32.
        return functions.table.pointee.global_init(3) == CURLE_OK
    }()

    /// What the shim's functions take; valid as long as this object.
    let table: UnsafeMutablePointer<ccurl_library>

    /// Nil if libcurl is not installed or can't be used.
    convenience init?() {
        guard Self.isInitialised else { return nil }
        self.init(loading: ())
    }

    private init?(loading: Void) {
        table = .allocate(capacity: 1)
        guard ccurl_load(table) else { return nil }
    }

    deinit {
        table.deallocate()
    }
}
