import Testing

@testable import TerminalUI

/// The finest level within a limit, in few tries.
@Suite struct BudgetSearchTests {
    /// Bytes of sixteen levels, each a fifth fewer than the one before.
    private static let byteCounts = (0..<16).map { Int(100_000 * pow(0.8, $0)) }

    private static func pow(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }

    /// The level found, and those tried.
    private func search(limit: Int, expected share: Double) -> (found: Int, tried: [Int]) {
        let counts = Self.byteCounts
        let search = BudgetSearch(limit: limit, expected: counts.map { Double($0) * share })
        var tried: [Int] = []
        let found = search.finest { level in
            tried.append(level)
            return (level, counts[level])
        }
        return (found, tried)
    }

    private func finest(within limit: Int) -> Int {
        Self.byteCounts.firstIndex { $0 <= limit } ?? Self.byteCounts.count - 1
    }

    @Test(arguments: [200_000, 100_000, 60_000, 20_000, 9000, 4000])
    func `if the estimate is right, one try finds the level`(limit: Int) {
        let (found, tried) = search(limit: limit, expected: 1)

        #expect(found == finest(within: limit) && tried.count <= 1)
    }

    @Test(arguments: [200_000, 100_000, 60_000, 20_000, 9000, 4000], [0.3, 0.5, 0.8, 1.3, 2, 4])
    func `if the size differs from the estimate, the next try corrects it`(
        limit: Int,
        share: Double
    ) {
        let (found, tried) = search(limit: limit, expected: share)

        #expect(found == finest(within: limit) && tried.count <= 2)
    }

    @Test func `the coarsest level is used if none is within the limit`() {
        #expect(search(limit: 10, expected: 1).found == 15)
        #expect(search(limit: 10, expected: 0.001).found == 15)
        #expect(search(limit: 0, expected: 1).found == 15)
    }

    @Test func `at any sizes, no level is tried twice, and few are tried`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let counts = (0..<12).map { _ in Int.random(in: 0...1000, using: &random) }
            let search = BudgetSearch(limit: 500, expected: (0..<12).map { Double(1000 - $0 * 80) })
            var tried: [Int] = []

            let found = search.finest { level in
                tried.append(level)
                return (level, counts[level])
            }

            #expect(Set(tried).count == tried.count && tried.count <= BudgetSearch.tryLimit + 1)
            #expect(tried.contains(found))
            let fitting = tried.filter { counts[$0] <= 500 }
            #expect(fitting.isEmpty ? found == tried.max() : found == fitting.min())
        }
    }
}
