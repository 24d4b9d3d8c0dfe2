import Foundation
import Testing

@testable import ImageLoading

@Suite struct TraceLineTests {
    private static let url = "http://a.example/1.png"

    private static func line(
        _ kind: TraceEvent.Kind,
        subject: String? = url,
        time: Duration = .milliseconds(1500)
    ) -> String {
        let event = TraceEvent(time: time, subject: subject, kind: kind)
        return String(decoding: TraceLine.text(of: event), as: UTF8.self)
    }

    private static let failure = ImageLoadingError(
        stage: .download,
        kind: .permanent,
        reason: .httpStatus(404)
    )

    /// Every kind of event, with the rest of its line.
    static let kinds: [(TraceEvent.Kind, String)] = [
        (.queued(.high), #""event":"queued","url":"\#(url)","priority":"high""#),
        (.coalesced, #""event":"coalesced","url":"\#(url)""#),
        (.hit(.disk), #""event":"hit","url":"\#(url)","source":"disk""#),
        (.missed, #""event":"missed","url":"\#(url)""#),
        (.started(resumedFrom: 5), #""event":"started","url":"\#(url)","resumed_from":5"#),
        (
            .firstByte(status: 206, expected: 90),
            #""event":"first_byte","url":"\#(url)","status":206,"expected":90"#
        ),
        (
            .firstByte(status: 200, expected: nil),
            #""event":"first_byte","url":"\#(url)","status":200"#
        ),
        (
            .progress(LoadProgress(received: 3, expected: 9)),
            #""event":"progress","url":"\#(url)","received":3,"expected":9"#
        ),
        (.notModified, #""event":"not_modified","url":"\#(url)""#),
        (.decoded(.microseconds(42)), #""event":"decoded","url":"\#(url)","seconds":0.000042"#),
        (
            .stored(.memory, byteCount: 7),
            #""event":"stored","url":"\#(url)","source":"memory","bytes":7"#
        ),
        (
            .retried(attempt: 2, pause: .seconds(3)),
            #""event":"retried","url":"\#(url)","attempt":2,"pause":3.000000"#
        ),
        (.detached, #""event":"detached","url":"\#(url)""#),
        (.cancelled(savedByteCount: 8), #""event":"cancelled","url":"\#(url)","saved":8"#),
        (.stoppedEarly(savedByteCount: 8), #""event":"stopped","url":"\#(url)","saved":8"#),
        (.succeeded(.network), #""event":"succeeded","url":"\#(url)","source":"network""#),
        (
            .failed(failure),
            #""event":"failed","url":"\#(url)","stage":"download","class":"permanent","#
                + #""status":404,"message":"404 not found""#
        ),
        (
            .evicted(.disk, count: 2, byteCount: 30),
            #""event":"evicted","url":"\#(url)","source":"disk","count":2,"bytes":30"#
        ),
        (
            .purged(.memory, byteCount: 4, reason: "memory pressure"),
            #""event":"purged","url":"\#(url)","source":"memory","bytes":4,"#
                + #""reason":"memory pressure""#
        ),
        (
            .hostAvailability(isAvailable: false),
            #""event":"host","host":"\#(url)","available":false"#
        ),
    ]

    @Test(arguments: kinds)
    func `each kind of event has its line`(kind: TraceEvent.Kind, rest: String) {
        #expect(Self.line(kind) == #"{"time":1.500000,\#(rest)}"#)
    }

    @Test func `an event about no single load has no subject`() {
        #expect(
            Self.line(.missed, subject: nil) == #"{"time":1.500000,"event":"missed"}"#
        )
    }

    @Test(arguments: [
        (Duration.zero, "0.000000"), (.nanoseconds(999), "0.000000"),
        (.microseconds(1), "0.000001"), (.seconds(86_400) + .milliseconds(20), "86400.020000"),
        (.seconds(-1), "0.000000"),
    ])
    func `times are seconds with six decimals`(time: Duration, text: String) {
        #expect(Self.line(.missed, time: time).hasPrefix(#"{"time":\#(text),"#))
    }

    @Test func `no text can break the line, and every text is preserved`() throws {
        let texts = [
            "\"quoted\" and \\ and /", "a\nb\rc\tz", "\u{0}\u{1}\u{1B}[31m\u{7F}\u{9B}m\u{85}",
            "\u{2028}\u{2029}", "é 漢字 👩‍👧 \u{10FFFF}", "",
            String(decoding: [0x61, 0xFF, 0xC3, 0x28], as: UTF8.self),
        ]
        for text in texts {
            let line = Self.line(.purged(.disk, byteCount: 0, reason: text), subject: text)

            let object = try JSONDecoder().decode(Purged.self, from: Data(line.utf8))
            #expect(object.url == text && object.reason == text)
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(!line.unicodeScalars.contains { $0 == "\u{2028}" || $0 == "\u{2029}" })
        }
    }

    private struct Purged: Decodable {
        let url: String
        let reason: String
    }

    @Test func `the text of a bad URL, which may contain a password, is left out`() {
        let error = ImageLoadingError(
            stage: .request,
            kind: .permanent,
            reason: .invalidURL("http://me:secret@[")
        )

        #expect(!Self.line(.failed(error)).contains("secret"))
    }

    @Test func `the documentation names every event and every field`() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let text = try String(contentsOfFile: "/\(root)/Documentation/Trace.md", encoding: .utf8)
        let lines =
            Self.kinds.map { Self.line($0.0) }
            + [
                TraceLine.start(.zero, wallTime: 0), TraceLine.gap(.zero, count: 1),
                TraceLine.end(.zero, TraceSummary()),
            ].map { String(decoding: $0, as: UTF8.self) }
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let fields = try #require(object as? [String: Any])
            let event = try #require(fields["event"] as? String)

            let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(event)` |") }

            for field in Set(fields.keys).subtracting(["time", "event", "url"]) {
                #expect(row?.contains("`\(field)`") == true, "\(event): \(field)")
            }
            #expect(row != nil, "\(event)")
        }
    }
}
