import Testing

@testable import ImageLoading

/// A kept response and the moment in which it is looked at, told as a table's row.
///
/// Times count from noon: the response came at 0, unless said otherwise.
struct ResponseScene: Sendable, CustomTestStringConvertible {
    /// 1994-11-06 12:00:00 UTC.
    static let noon = 784_123_200
    static let hour = 3600
    static let day = 86_400

    let name: String
    var control = ""
    /// The server's clock, as offset from noon; nil: no Date.
    var date: Int? = 0
    var age: String?
    /// An offset from noon.
    var expires: Int?
    /// In place of `expires`: as it stands in the field.
    var expiresText: String?
    /// An offset from noon.
    var changed: Int?
    /// When the request was sent.
    var sent = 0
    /// When it is looked at.
    var now = 0

    var testDescription: String { name }

    var response: CachedResponse {
        let times = ExchangeTimes(request: Self.noon + sent, response: Self.noon)
        return CachedResponse(head, of: [], times: times)
    }

    var wallTime: Int { Self.noon + now }

    private var head: TransferHead {
        var headers: [String: String] = [:]
        headers["cache-control"] = control.isEmpty ? nil : control
        headers["date"] = date.map(Self.text)
        headers["age"] = age
        headers["expires"] = expires.map(Self.text) ?? expiresText
        headers["last-modified"] = changed.map(Self.text)
        return TransferHead(status: 200, expectedByteCount: nil, headers: headers)
    }

    private static func text(_ offset: Int) -> String { HTTPDate(seconds: noon + offset).text }
}
