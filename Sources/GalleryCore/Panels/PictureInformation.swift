internal import Feeds

/// The details of an image, organized in groups of lines.
package struct PictureInformation: Equatable, Sendable {
    /// A label with its value.
    ///
    /// The value may contain any characters.
    package struct Line: Equatable, Sendable {
        let label: String
        let value: String
        /// The part of a total that the value covers, as a range from 0 to 1, or nil if the value
        /// has no bar.
        var share: ClosedRange<Double>?
    }

    /// A group of related lines.
    package struct Group: Equatable, Sendable {
        let title: String
        var lines: [Line] = []
    }

    private(set) var groups: [Group] = []

    /// The coordinates of the place where the photo was taken, such as "48.856600, -2.352200"; nil if
    /// they are unknown.
    package var position: String?

    /// The titles of the groups in display order.
    ///
    /// Any other groups are shown after these.
    private static let order = [
        "Image", "Camera", "Description", "Place", "Source", "Feed", "Text", "File", "Cache",
        "Time",
    ]

    /// Creates details without any groups.
    package init() {}

    /// Adds a line to a group, and creates the group if necessary.
    ///
    /// If the value is empty or nil, no line is added.
    package mutating func add(_ label: String, _ value: String?, to title: String) {
        guard let value, !value.isEmpty else { return }
        add(Line(label: label, value: value), to: title)
    }

    /// All lines as plain text, each group below its title.
    package var titledLines: [String] {
        groups.flatMap { group in
            [group.title]
                + group.lines.flatMap { line in
                    let label = line.label + Self.margin.dropFirst(line.label.count)
                    let rows = line.value.split(whereSeparator: \.isNewline)
                    return rows.enumerated().map { index, row in
                        "  \(index == 0 ? label : Self.margin) \(row)"
                    }
                }
        }
    }

    /// The margin of the second and further rows of a value.
    private static let margin = String(repeating: " ", count: 10)

    /// All lines as plain text.
    package var plainLines: [String] {
        groups.flatMap { group in group.lines.map { "\($0.label): \($0.value)" } }
    }

    mutating func add(_ line: Line, to title: String) {
        if let index = groups.firstIndex(where: { $0.title == title }) {
            groups[index].lines.append(line)
        } else {
            groups.append(Group(title: title, lines: [line]))
        }
    }

    /// Returns the groups of this value and of `other`, in display order.
    ///
    /// Groups with the same title are merged.
    package func joined(with other: PictureInformation) -> PictureInformation {
        var all = self
        for group in other.groups {
            for line in group.lines { all.add(line, to: group.title) }
        }
        all.position = position ?? other.position
        return all.inOrder
    }

    private var inOrder: PictureInformation {
        var all = self
        let known = Self.order.compactMap { title in groups.first { $0.title == title } }
        all.groups = known + groups.filter { !Self.order.contains($0.title) }
        return all
    }
}
