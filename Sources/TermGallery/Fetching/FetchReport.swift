import Decoders
import FoundationEssentials
import ImageLoading

/// One line of `fetch --jsonl`: what became of one URL.
///
/// Keys that don't apply are left out.
struct FetchReport: Encodable, Equatable {
    enum Status: String, Encodable {
        case ok
        case failed
    }

    struct Failure: Encodable, Equatable {
        let stage: String
        let kind: String
        let retryable: Bool
        let message: String

        enum CodingKeys: String, CodingKey {
            case stage
            case kind = "class"
            case retryable
            case message
        }
    }

    let url: String
    let status: Status
    var source: String?
    var http: Int?
    var bytes: Int?
    var format: String?
    var width: Int?
    var height: Int?
    let ms: Int
    var error: Failure?

    init(
        url: String,
        result: Result<ImageResponse, ImageLoadingError>,
        duration: Duration
    ) {
        self.url = url
        self.ms = duration.wholeMilliseconds
        switch result {
        case .success(let response):
            let properties = response.image.properties
            status = .ok
            source = response.source.rawValue
            http = response.httpStatus
            bytes = response.byteCount
            format = properties.format.rawValue
            width = properties.size.width
            height = properties.size.height
        case .failure(let failure):
            status = .failed
            http = failure.httpStatus
            error = Failure(
                stage: failure.stage.rawValue,
                kind: failure.kind.rawValue,
                retryable: failure.isRetryable,
                message: failure.description
            )
        }
    }

    /// The object on one line, keys in alphabetical order.
    func jsonLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var wholeMilliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
