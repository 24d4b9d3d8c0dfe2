@testable import ImageLoading

extension WebAddress {
    /// As libcurl's parser reads it.
    static func of(_ text: String, relativeTo base: WebAddress? = nil) -> WebAddress? {
        CurlFunctions()?.address(text, relativeTo: base)
    }
}
