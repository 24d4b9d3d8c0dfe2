/// The codes of a scan and their look-up tables, one set for each pair of codes, one behind the
/// other.
struct DCLookups {
    /// The codes of a component; without AC where a scan has none.
    struct Codes: Equatable {
        let dc: DCHuffmanCode
        let ac: DCHuffmanCode?
    }

    /// The codes of the sets.
    private(set) var codes: [Codes] = []
    /// The sets, `setCount` entries each.
    private(set) var entries: [Int16] = []

    private static let dcStart = 2 * DCSteps.lookupCount
    private static let differenceStart = dcStart + DCSteps.lookupCount
    private static let setCount = differenceStart + DCDifference.lookupCount

    /// The index of the set of `codes`, which is made if there is none.
    mutating func set(of codes: Codes) -> Int {
        if let index = self.codes.firstIndex(of: codes) { return index }
        self.codes.append(codes)
        entries += Self.made(of: codes)
        return self.codes.count - 1
    }

    /// Where the walk's look-ups for AC symbols start in `entries`.
    static func walkAC(_ set: Int) -> Int { set * setCount + DCSteps.lookupCount }

    /// Where the walk's look-ups for the beginning of a block start.
    static func walkDC(_ set: Int) -> Int { set * setCount + dcStart }

    /// Where the look-ups of `DCDifference` start.
    static func difference(_ set: Int) -> Int { set * setCount + differenceStart }

    private static func made(of codes: Codes) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: setCount) { entries, count in
            count = setCount
            guard let start = entries.baseAddress else { return }
            if let ac = codes.ac { DCSteps.fillAC(start, of: ac) }
            DCSteps.fillDC(start + dcStart, of: codes.dc, ac: codes.ac.map { _ in start })
            DCDifference.fillLookups(start + differenceStart, of: codes.dc)
        }
    }
}
