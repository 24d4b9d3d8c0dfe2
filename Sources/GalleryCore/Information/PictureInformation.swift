/// What is known of a picture, in groups of lines.
public struct PictureInformation: Equatable, Sendable {
    /// A name and what there is under it; values may hold anything.
    public struct Line: Equatable, Sendable {
        let label: String
        let value: String
        /// Which part of a whole it is, 0 to 1.
        var share: ClosedRange<Double>?
    }

    /// Lines that belong together.
    public struct Group: Equatable, Sendable {
        let title: String
        var lines: [Line] = []
    }

    private(set) var groups: [Group] = []

    /// The groups in the order in which they are shown; others come behind these.
    private static let order = ["Picture", "Camera", "Source", "Feed", "File", "Cache", "Time"]

    /// Nothing yet.
    public init() {}

    /// Adds a line to a group, which is made if it is the first; a value that is missing adds none.
    public mutating func add(_ label: String, _ value: String?, to title: String) {
        guard let value, !value.isEmpty else { return }
        add(Line(label: label, value: value), to: title)
    }

    /// All of it in lines of words.
    public var plainLines: [String] {
        groups.flatMap { group in group.lines.map { "\($0.label): \($0.value)" } }
    }

    mutating func add(_ line: Line, to title: String) {
        if let index = groups.firstIndex(where: { $0.title == title }) {
            groups[index].lines.append(line)
        } else {
            groups.append(Group(title: title, lines: [line]))
        }
    }

    /// Both, groups of one title joined, in the order in which they are shown.
    func joined(with other: PictureInformation) -> PictureInformation {
        var all = self
        for group in other.groups {
            for line in group.lines { all.add(line, to: group.title) }
        }
        let known = Self.order.compactMap { title in all.groups.first { $0.title == title } }
        all.groups = known + all.groups.filter { !Self.order.contains($0.title) }
        return all
    }
}
