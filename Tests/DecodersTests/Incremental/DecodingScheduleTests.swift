import Testing

@testable import Decoders

@Suite struct DecodingScheduleTests {
    private static func schedule(_ side: Int?) -> DecodingSchedule {
        DecodingSchedule(targetSize: side.map { PixelSize(width: $0, height: $0) })
    }

    /// Returns the number of received bytes at each decode of a file that arrives in pieces of
    /// `step`.
    private static func decodes(
        of bytes: [UInt8],
        step: Int,
        side: Int?,
        expected: Int? = nil
    ) -> [(byteCount: Int, gain: DecodingSchedule.Gain)] {
        var schedule = schedule(side)
        return stride(from: step, through: bytes.count + step - 1, by: step).compactMap { count in
            schedule.advance(to: Array(bytes.prefix(count)), of: expected)
            let gain = schedule.gain
            guard gain > .nothing else { return nil }
            schedule.noteDecode()
            return (min(count, bytes.count), gain)
        }
    }

    /// Returns data of an unknown format.
    private static func unknown(_ count: Int) -> [UInt8] { Array(repeating: 1, count: count) }

    @Test func `a partial file of less than 4 KiB is not decoded`() {
        var schedule = Self.schedule(20)
        let gains = [4095, 4096].map { count in
            schedule.advance(to: Self.unknown(count))
            return schedule.gain
        }

        #expect(gains == [.nothing, .preview])
    }

    // F15
    @Test(arguments: [1_000, 1_460, 16_384])
    func `all decodes of rows together read less than three times the file`(step: Int) {
        let bytes = Self.unknown(1 << 20)
        let decodes = Self.decodes(of: bytes, step: step, side: 20)

        #expect(decodes.count > 3)
        #expect(decodes.reduce(0) { $0 + $1.byteCount } < 3 * bytes.count)
    }

    @Test func `after nine tenths of the file, no preview is decoded before the end`() {
        var schedule = Self.schedule(20)
        let gains = [80_000, 95_000].map { count in
            schedule.advance(to: Self.unknown(count), of: 100_000)
            return schedule.gain
        }

        #expect(gains == [.preview, .nothing])
    }

    @Test(arguments: [100, 1_460])
    func `a thumbnail of a progressive JPEG is decoded once, right after the DC scan`(
        step: Int
    ) throws {
        let file = ArrivingFile.progressive
        let end = try #require(file.scanEnds.first)

        let decodes = Self.decodes(of: file.bytes, step: step, side: 20)

        let first = try #require(decodes.first)
        #expect(first.gain == .final)
        #expect((end + 2..<end + 2 + step).contains(first.byteCount))
        // If that is not enough, once more after the scans that libjpeg needs.
        #expect(decodes.count { $0.gain == .final } <= 2)
    }

    @Test(arguments: [50, 100])
    func `a larger view of a progressive JPEG is checked for being final only in later scans`(
        side: Int
    ) throws {
        let file = ArrivingFile.progressive
        let step = 100

        let decodes = Self.decodes(of: file.bytes, step: step, side: side)
        let tried = try #require(decodes.first { $0.gain == .final })

        var options = ArrivingFile.options(side)
        options.acceptsTruncation = true
        let isFinal = { (count: Int) in
            let image = try? DecoderRegistry.standard.decode(file.prefix(count), options: options)
            return image?.isFinal == true
        }
        #expect(isFinal(tried.byteCount))
        #expect(!isFinal(tried.byteCount - 2 * step))
    }

    @Test func `a large view of a progressive JPEG is decoded at most once per scan`() {
        let file = ArrivingFile.progressive

        let decodes = Self.decodes(of: file.bytes, step: 100, side: nil)

        #expect(!decodes.isEmpty)
        #expect(decodes.allSatisfy { $0.gain == .preview })
        let scans = decodes.map { decode in
            file.scanEnds.count { $0 <= decode.byteCount }
        }
        #expect(Set(scans).count == scans.count && !scans.contains(0))
    }

    @Test func `fewer bytes than before start another file`() {
        let file = ArrivingFile.progressive
        var schedule = Self.schedule(20)
        schedule.advance(to: file.bytes)
        schedule.noteDecode()
        let before = schedule.gain

        schedule.advance(to: Array(file.bytes.dropLast()))

        #expect(before == .nothing)
        #expect(schedule.gain == .final)
    }

    @Test func `an interlaced PNG is checked often only near the end of the pass that suffices`() {
        let file = ArrivingFile.all[3]
        let finals = Self.decodes(
            of: file.bytes,
            step: 100,
            side: 20,
            expected: file.bytes.count
        ).filter { $0.gain == .final }

        #expect(!finals.isEmpty)
        // For three passes, then for five.
        #expect(
            finals.allSatisfy { final in
                let percent = final.byteCount * 100 / file.bytes.count
                return (8...24).contains(percent) || (28...84).contains(percent)
            }
        )
        #expect(finals.count < 12)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `damaged bytes only change when the file is decoded`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for file in ArrivingFile.all {
            var bytes = file.bytes
            for _ in 0..<20 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            let decodes = Self.decodes(of: bytes, step: 997, side: 20, expected: bytes.count)
            #expect(decodes.count < 40, "seed \(seed), \(file.name)")
        }
    }
}
