/// Possible damage of a JPEG.
enum JPEGDamage {
    private typealias Change = @Sendable (inout JPEGFile) -> Void

    /// Returns files of a few blocks, which libjpeg decodes.
    static func small(fixtures: String) throws -> [DamagedFile] {
        let arithmetic = try JPEGFile(Corpus.read(fixtures + "/arithmetic.jpg"))
        let gray = try JPEGFile(Corpus.read(fixtures + "/gray.jpg"))
        let restart = try JPEGFile(Corpus.read(fixtures + "/restart.jpg"))
        return try files(width: 40, height: 27, quality: 60)
            + restarts.map { ("jpeg-\($0.key).jpg", restart.with($0.value)) }
            + [
                (
                    "jpeg-arithmetic-data-cut.jpg",
                    arithmetic.with { file in
                        file.segments[file.scan].data.removeLast(30)
                        file.ending = []
                    }
                ),
                (
                    "jpeg-gray-in-three-scans.jpg",
                    gray.with { file in
                        let scan = file.segments[file.scan]
                        file.segments += [scan, scan]
                    }
                ),
            ]
    }

    /// Returns files large enough for the DC path, which leaves small files to libjpeg.
    static func large() throws -> [DamagedFile] {
        try files(width: 400, height: 256, quality: 12)
    }

    private static func files(width: Int, height: Int, quality: Int) throws -> [DamagedFile] {
        let plain = try JPEGFile(
            width: width,
            height: height,
            quality: quality,
            isProgressive: false
        )
        let progressive = try JPEGFile(
            width: width,
            height: height,
            quality: quality,
            isProgressive: true
        )
        return headers.map { ("jpeg-\($0.key).jpg", plain.with($0.value)) }
            + data.map { ("jpeg-\($0.key).jpg", plain.with($0.value)) }
            + data.map { ("jpeg-progressive-\($0.key).jpg", progressive.with($0.value)) }
            + scans.map { ("jpeg-progressive-\($0.key).jpg", progressive.with($0.value)) }
    }

    private static let headers: KeyValuePairs<String, Change> = [
        "dc-table-missing": { $0.segments.remove(at: $0.index(0xC4)) },
        "quantizer-missing": { $0.segments.remove(at: $0.index(0xDB)) },
        "quantizer-zero": { file in
            let index = file.index(0xDB)
            file.segments[index].body =
                [file.segments[index].body[0]] + [UInt8](repeating: 0, count: 64)
        },
        "quantizer-16-bit": { file in
            let index = file.index(0xDB)
            file.segments[index].body = [0x10] + (0..<64).flatMap { _ in [UInt8(1), 44] }
        },
        "quantizer-cut": { $0.segments[$0.index(0xDB)].body.removeLast(9) },
        "height-zero-dnl": { file in
            let height = Array(file.segments[file.frame].body[1...2])
            file.segments[file.frame].body.replaceSubrange(1...2, with: [0, 0])
            file.segments.append(JPEGFile.Segment(marker: 0xDC, body: height))
        },
        "width-zero": { $0.segments[$0.frame].body.replaceSubrange(3...4, with: [0, 0]) },
        "sides-65535": {
            $0.segments[$0.frame].body.replaceSubrange(1...4, with: [255, 255, 255, 255])
        },
        "height-double": { $0.segments[$0.frame].body[1] = 2 },
        "12-bit": { $0.segments[$0.frame].body[0] = 12 },
        "lossless": { $0.segments[$0.frame].marker = 0xC3 },
        "arithmetic-by-name-only": { $0.segments[$0.frame].marker = 0xC9 },
        "progressive-by-name-only": { $0.segments[$0.frame].marker = 0xC2 },
        "frame-twice": { $0.segments.insert($0.segments[$0.frame], at: $0.frame) },
        "frame-missing": { $0.segments.remove(at: $0.frame) },
        "frame-behind-scan": { $0.segments.swapAt($0.frame, $0.scan) },
        "frame-cut": { $0.segments[$0.frame].body.removeLast(2) },
        "components-none": { $0.segments[$0.frame].body[5] = 0 },
        "components-two": { file in
            file.segments[file.frame].body[5] = 2
            file.segments[file.frame].body.removeLast(3)
        },
        "components-alike": { $0.segments[$0.frame].body[9] = $0.segments[$0.frame].body[6] },
        "sampling-zero": { $0.segments[$0.frame].body[7] = 0x00 },
        "sampling-three": { $0.segments[$0.frame].body[7] = 0x31 },
        "sampling-four-by-four": { $0.segments[$0.frame].body[7] = 0x44 },
        "sampling-chroma-finer": { file in
            file.segments[file.frame].body[7] = 0x11
            file.segments[file.frame].body[10] = 0x22
        },
        "quantizer-number-four": { $0.segments[$0.frame].body[8] = 4 },
        "codes-overfull": { $0.segments[$0.index(0xC4)].body[1] = 3 },
        "codes-all-ones": { file in
            file.segments[file.index(0xC4)].body =
                [0, 2] + [UInt8](repeating: 0, count: 15) + [4, 5]
        },
        "codes-none": { $0.segments[$0.index(0xC4)].body = [0] + [UInt8](repeating: 0, count: 16) },
        "codes-cut": { $0.segments[$0.index(0xC4)].body.removeLast(3) },
        "codes-of-17-bits": { file in
            let index = file.index(0xC4)
            file.segments[index].body = [0] + [UInt8](repeating: 0, count: 16) + [17]
        },
        "dc-size-16": { $0.segments[$0.index(0xC4)].body[17] = 16 },
        "segment-without-length": { file in
            file.segments.insert(JPEGFile.Segment(marker: 0xD5, body: []), at: 1)
        },
        "segment-past-end": { file in
            file.segments = [file.segments[0], JPEGFile.Segment(marker: 0xE5, body: [])]
            file.ending = [0xFF, 0xE6, 0xFF, 0xFF, 1]
        },
        "adobe-says-rgb": { file in
            let body = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
            file.segments[0] = JPEGFile.Segment(marker: 0xEE, body: body)
        },
        "scan-without-components": { $0.segments[$0.scan].body = [0, 0, 63, 0] },
        "scan-of-unknown-component": { $0.segments[$0.scan].body[1] = 77 },
        "scan-names-one-twice": { $0.segments[$0.scan].body[3] = $0.segments[$0.scan].body[1] },
        "scan-of-table-four": { $0.segments[$0.scan].body[2] = 0x44 },
        "scan-of-one-component": { $0.segments[$0.scan].body = [1, 1, 0, 0, 63, 0] },
        "restart-interval-wrong": { file in
            file.segments.insert(JPEGFile.Segment(marker: 0xDD, body: [0, 1]), at: file.scan)
        },
        "restart-interval-cut": { file in
            file.segments.insert(JPEGFile.Segment(marker: 0xDD, body: [9]), at: file.scan)
        },
    ]

    /// Damage of the coded data, for any kind of file.
    private static let data: KeyValuePairs<String, Change> = [
        "in-order": { _ in },
        "end-missing": { $0.ending = [] },
        "end-twice": { $0.ending += $0.ending },
        "more-behind-the-end": { $0.ending += noise(40) },
        "data-missing": { $0.segments[$0.scan].data = [] },
        "data-cut": { file in
            file.segments.removeLast(file.segments.count - file.scan - 1)
            file.segments[file.scan].data.removeLast(file.segments[file.scan].data.count / 2)
            file.ending = []
        },
        "data-cut-in-an-escape": { file in
            file.segments.removeLast(file.segments.count - file.scan - 1)
            file.segments[file.scan].data += [0xFF]
            file.ending = []
        },
        "data-cut-but-ended": {
            $0.segments[$0.scan].data.removeLast($0.segments[$0.scan].data.count / 2)
        },
        "data-too-long": { $0.segments[$0.scan].data += [UInt8](repeating: 0x55, count: 70) },
        "data-all-ones": { file in
            let count = file.segments[file.scan].data.count / 2
            file.segments[file.scan].data = (0..<count).flatMap { _ in [UInt8(0xFF), 0] }
        },
        "data-flipped": { file in
            let middle = file.segments[file.scan].data.count / 2
            file.segments[file.scan].data[middle] ^= 0x10
        },
        "restart-where-none-is-due": { file in
            let middle = file.segments[file.scan].data.count / 2
            file.segments[file.scan].data.insert(contentsOf: [0xFF, 0xD0], at: middle)
        },
        "fill-bytes-before-markers": { file in
            for index in file.segments.indices where file.segments[index].marker == 0xDA {
                file.segments[index].data += [0xFF, 0xFF, 0xFF]
            }
        },
        "tables-behind-scan": { file in
            let table = file.segments[file.index(0xDB)]
            file.segments.insert(table, at: file.scan + 1)
        },
    ]

    /// Damage of the order and the bits of scans.
    private static let scans: KeyValuePairs<String, Change> = [
        "scan-repeats": { $0.segments.insert($0.segments[$0.scan], at: $0.scan) },
        "scan-missing": { $0.segments.remove(at: $0.scan) },
        "last-scan-missing": { $0.segments.removeLast() },
        "refinement-first": { $0.segments.swapAt($0.scan, $0.segments.count - 1) },
        "band-past-63": { file in
            let count = file.segments[file.segments.count - 1].body.count
            file.segments[file.segments.count - 1].body[count - 2] = 64
        },
        "band-backwards": { file in
            let count = file.segments[file.segments.count - 1].body.count
            file.segments[file.segments.count - 1].body[count - 3] = 50
            file.segments[file.segments.count - 1].body[count - 2] = 40
        },
        "low-bit-14": { file in
            let count = file.segments[file.scan].body.count
            file.segments[file.scan].body[count - 1] = 14
        },
        "low-bit-3": { file in
            let count = file.segments[file.scan].body.count
            file.segments[file.scan].body[count - 1] = 3
        },
        "dc-and-ac-in-one-scan": { file in
            let count = file.segments[file.scan].body.count
            file.segments[file.scan].body[count - 2] = 5
        },
        "last-scan-600-times": { file in
            let last = file.segments[file.segments.count - 1]
            let empty = JPEGFile.Segment(marker: 0xDA, body: last.body)
            file.segments += Array(repeating: empty, count: 600)
        },
        "baseline-by-name-only": { $0.segments[$0.frame].marker = 0xC0 },
    ]

    private static let restarts: KeyValuePairs<String, Change> = [
        "restart-missing": { file in
            let data = file.segments[file.scan].data
            guard
                let place = data.indices.dropLast().first(where: {
                    data[$0] == 0xFF && data[$0 + 1] == 0xD0
                })
            else { return }
            file.segments[file.scan].data.removeSubrange(place...place + 1)
        },
        "restarts-swapped": { file in
            for index in file.segments[file.scan].data.indices.dropLast()
            where file.segments[file.scan].data[index] == 0xFF {
                let next = file.segments[file.scan].data[index + 1]
                guard next == 0xD0 || next == 0xD1 else { continue }
                file.segments[file.scan].data[index + 1] = next ^ 1
            }
        },
        "restart-interval-65535": { $0.segments[$0.index(0xDD)].body = [255, 255] },
        "restart-interval-zero": { $0.segments[$0.index(0xDD)].body = [0, 0] },
    ]
}
