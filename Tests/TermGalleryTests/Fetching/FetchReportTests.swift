import Decoders
import ImageLoading
import Testing

@testable import TermGallery

@Suite struct FetchReportTests {
    private let image = DecodedImage(
        pixels: PixelBuffer(
            size: PixelSize(width: 1, height: 1),
            bytes: [0, 0, 0, 255],
            hasAlpha: false
        ),
        properties: ImageProperties(
            format: .jpeg,
            size: PixelSize(width: 640, height: 480),
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
    )

    @Test func `a picture from the network is reported with its own size`() throws {
        let response = ImageResponse(
            image: image,
            source: .network,
            byteCount: 1234,
            httpStatus: 200
        )

        let report = FetchReport(
            url: "http://h/a/1.jpg",
            result: .success(response),
            duration: .microseconds(12_900)
        )

        #expect(
            try report.jsonLine()
                == #"{"bytes":1234,"format":"jpeg","height":480,"http":200,"ms":12,"#
                + #""source":"network","status":"ok","url":"http://h/a/1.jpg","width":640}"#
        )
    }

    @Test(arguments: [(ImageSource.memory, "memory"), (.disk, "disk")])
    func `a cached picture has no http status`(source: ImageSource, name: String) throws {
        let response = ImageResponse(image: image, source: source, byteCount: 0, httpStatus: nil)

        let line = try FetchReport(url: "u", result: .success(response), duration: .zero).jsonLine()

        #expect(line.contains(#""source":"\#(name)""#))
        #expect(!line.contains("http"))
    }

    @Test func `a failure says stage, class, whether to retry, and why`() throws {
        let error = ImageLoadingError(
            stage: .download,
            kind: .transient,
            reason: .httpStatus(503)
        )

        let report = FetchReport(url: "u", result: .failure(error), duration: .seconds(2))

        #expect(
            try report.jsonLine()
                == #"{"error":{"class":"transient","message":"503 service unavailable","#
                + #""retryable":true,"stage":"download"},"http":503,"ms":2000,"#
                + #""status":"failed","url":"u"}"#
        )
    }

    @Test func `an address with quotes, line breaks and escapes stays on one line`() throws {
        let line = try FetchReport(
            url: "a\"b\n\u{1B}\\",
            result: .failure(.notFound),
            duration: .zero
        )
        .jsonLine()

        #expect(line.contains(#""url":"a\"b\n\u001b\\""#) || line.contains(#"a\"b\n\u001B\\"#))
        #expect(!line.contains("\n"))
    }
}
