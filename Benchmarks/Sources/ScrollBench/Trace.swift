/// One movement of a scroll: the number of rows, and how long the screen then stays still.
struct TraceStep {
    let isRest: Bool
    let milliseconds: Int
}

/// A scroll in flings of 4 to 30 rows, with rests of half a second to three seconds in between.
///
/// The numbers are the same every time.
enum Trace {
    static func steps(rows: Int, rowMilliseconds: Int) -> [TraceStep] {
        var state: UInt64 = 1
        func random(_ range: ClosedRange<Int>) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int((state >> 33) % UInt64(range.count))
        }
        var steps: [TraceStep] = []
        var left = rows
        while left > 0 {
            let fling = min(left, random(4...30))
            left -= fling
            for _ in 0..<fling {
                steps.append(TraceStep(isRest: false, milliseconds: rowMilliseconds))
            }
            steps.append(TraceStep(isRest: true, milliseconds: random(500...3000)))
        }
        return steps
    }
}
