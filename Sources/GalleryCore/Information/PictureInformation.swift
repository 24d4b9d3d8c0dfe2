/// What is known of a picture, in groups of lines.
public struct PictureInformation: Equatable, Sendable {
    /// A name and what there is under it; values may hold anything.
    public struct Line: Equatable, Sendable {
        let label: String
        let value: String
    }

    /// Lines that belong together.
    public struct Group: Equatable, Sendable {
        let title: String
        var lines: [Line] = []
    }

    private(set) var groups: [Group] = []

    /// Nothing yet.
    public init() {}

    /// Adds a line to a group, which is made if it is the first; a value that is missing adds none.
    public mutating func add(_ label: String, _ value: String?, to title: String) {
        guard let value, !value.isEmpty else { return }
        if let index = groups.firstIndex(where: { $0.title == title }) {
            groups[index].lines.append(Line(label: label, value: value))
        } else {
            groups.append(Group(title: title, lines: [Line(label: label, value: value)]))
        }
    }

    /// Both, groups of one title joined.
    func joined(with other: PictureInformation) -> PictureInformation {
        var all = self
        for group in other.groups {
            for line in group.lines { all.add(line.label, line.value, to: group.title) }
        }
        return all
    }
}
