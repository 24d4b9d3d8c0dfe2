/// JPEG files that ask for much with few bytes.
enum JPEGBomb {
    /// A progressive file whose last scan comes again and again, until there are `scanCount`.
    static func scans(_ scanCount: Int) throws -> [UInt8] {
        let file = try Fixtures.bytes(of: "progressive.jpg")
        let starts = Fixtures.offsets(of: 0xDA, in: file)
        var bomb = Array(file.dropLast(2))
        let scan = bomb[(starts.last ?? 0)...]
        for _ in starts.count..<scanCount { bomb += scan }
        return bomb + [0xFF, 0xD9]
    }
}
