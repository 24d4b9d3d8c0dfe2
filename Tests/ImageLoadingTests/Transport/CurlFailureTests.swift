import Glibc
import Testing

@testable import ImageLoading

/// The part of the table of errors that concerns libcurl's codes.
@Suite struct CurlFailureTests {
    @Test(arguments: [5, 6, 7, 28, 16, 18, 52, 55, 56, 92, 95, 96])
    func `a failure of the network path is transient`(code: Int) {
        #expect(CurlFailure.error(code: code).kind == .transient)
    }

    @Test(arguments: [35, 53, 54, 58, 59, 60, 66, 77, 80, 83, 90, 91])
    func `a TLS failure is permanent and names TLS`(code: Int) {
        let error = CurlFailure.error(code: code)

        #expect(error.kind == .permanent)
        #expect(text(of: error).hasPrefix("TLS"))
    }

    @Test(arguments: [1, 3, 47, 63])
    func `a bad URL, too many redirects and too large a body are permanent`(code: Int) {
        #expect(CurlFailure.error(code: code).kind == .permanent)
    }

    @Test(arguments: [6, 7], [ENETUNREACH, ENETDOWN])
    func `an unreachable network counts as offline`(code: Int, osError: Int32) {
        #expect(CurlFailure.error(code: code, osError: osError).kind == .offline)
    }

    @Test(arguments: [
        (6, 0, "no such host"), (7, ECONNREFUSED, "connection refused"),
        (7, EHOSTUNREACH, "host unreachable"), (28, 0, "timed out"),
        (60, 0, "TLS certificate not trusted"), (7, ENETUNREACH, "no network"),
    ])
    func `the error text is short and readable`(code: Int, osError: Int32, expected: String) {
        #expect(text(of: CurlFailure.error(code: code, osError: osError)) == expected)
    }

    @Test func `every code libcurl may ever return gives an error of the download stage`() {
        for code in -1...200 {
            let error = CurlFailure.error(code: code)
            #expect(error.stage == .download && !text(of: error).isEmpty)
        }
    }

    private func text(of error: ImageLoadingError) -> String {
        guard case .transport(let failure) = error.reason else { return "" }
        return failure.text
    }
}
