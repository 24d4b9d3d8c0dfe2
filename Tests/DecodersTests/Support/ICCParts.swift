/// A profile as it is laid into files.
enum ICCParts {
    /// APP2 segments, behind the start of `file`: part by part, in the order of `numbers`.
    static func insert(
        _ profile: [UInt8],
        into file: [UInt8],
        partCount: Int = 1,
        numbers: [Int]? = nil
    ) -> [UInt8] {
        let length = (profile.count + partCount - 1) / partCount
        let segments = (numbers ?? Array(1...partCount)).flatMap { number in
            let start = min(profile.count, max(0, number - 1) * length)
            let part = profile[start..<min(profile.count, start + length)]
            let head = Array("ICC_PROFILE\0".utf8) + [UInt8(number), UInt8(partCount)]
            return segment(0xE2, head + part)
        }
        return Array(file.prefix(2)) + segments + file.dropFirst(2)
    }

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body
    }

    /// The data of an iCCP chunk.
    static func chunk(_ profile: [UInt8]) -> [UInt8] {
        Array("name".utf8) + [0, 0] + PNGFile.deflated(profile)
    }
}
