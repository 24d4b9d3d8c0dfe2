/// Colours spread evenly from 0 to 1, read from a table of 256 steps.
struct Gradient {
    private let table: [Color]

    /// A gradient through `stops`; a cyclic one comes back to its first stop.
    init(_ stops: [UInt32], cyclic: Bool = false) {
        let colors = stops.map(Color.init(hex:)) + (cyclic ? [Color(hex: stops[0])] : [])
        table = (0..<256).map { step in
            let position = Float(step) / 255 * Float(colors.count - 1)
            let index = min(Int(position), max(0, colors.count - 2))
            let next = min(index + 1, colors.count - 1)
            return colors[index].mixed(with: colors[next], position - Float(index))
        }
    }

    /// The colour at `position`, cut to 0…1.
    func color(at position: Float) -> Color {
        table[Int(max(0, min(1, position)) * 255)]
    }

    /// The colour at `position` when the gradient repeats for ever.
    func color(cycling position: Float) -> Color {
        color(at: position - position.rounded(.down))
    }
}
