import TerminalUI

/// A part of the status bar whose text is available in one or more lengths.
struct StatusSegment: Equatable, Sendable {
    /// The text in several lengths, longest first.
    let forms: [FrameText]
    let tone: Theme.Tone
    /// The number of columns before the part: 2 within a group, and 3 before a new group.
    var gap = 2
    /// The rank of the part, which determines what is shown if there is too little space.
    ///
    /// Parts with a lower rank are kept first. Parts of equal rank are kept from left to right.
    var rank = 0
    /// The action for a click on the part.
    var target: StatusTarget?

    var least: Int { gap + (forms.last?.width ?? 0) }
}

/// The parts of the status bar, including the name of the image.
///
/// First, parts are added in their shortest version, by rank, until there is no more space. Any
/// remaining space is given to the name first, and then to the other parts from left to right.
struct StatusSegments: Sendable {
    /// The width of the complete name in columns, or 0 if there is no name.
    let nameWidth: Int
    let segments: [StatusSegment]

    /// A part with the longest text that fits.
    struct Fitted: Equatable {
        let text: FrameText
        let tone: Theme.Tone
        let gap: Int
        let target: StatusTarget?
    }

    /// The number of columns before the name.
    static let nameGap = 2
    /// The minimum useful width of a name in columns.
    static let leastName = 8

    /// Returns the width of the name, and the parts that fit after the name.
    ///
    /// `room` is the number of columns available to the right of the position number. `columns` is
    /// the width of the window.
    func fitted(to room: Int, window columns: Int) -> (name: Int, parts: [Fitted]) {
        var room = room
        var name = 0
        if nameWidth > 0 {
            name = min(nameWidth, max(20, columns / 4), room - Self.nameGap)
            guard name >= min(Self.leastName, nameWidth) else { return (0, []) }
            room -= name + Self.nameGap
        }
        let kept = kept(in: &room)
        let growth = max(0, min(room, nameWidth - name))
        name += growth
        room -= growth
        let parts = kept.compactMap { segment -> Fitted? in
            let shortest = segment.least - segment.gap
            let form = segment.forms.first { $0.width - shortest <= room }
            guard let form else { return nil }
            room -= form.width - shortest
            return Fitted(
                text: form,
                tone: segment.tone,
                gap: segment.gap,
                target: segment.target
            )
        }
        return (name, parts)
    }

    private func kept(in room: inout Int) -> [StatusSegment] {
        var kept: Set<Int> = []
        let order = segments.indices.sorted { one, other in
            (segments[one].rank, one) < (segments[other].rank, other)
        }
        for index in order {
            guard segments[index].least <= room else { break }
            room -= segments[index].least
            kept.insert(index)
        }
        return segments.indices.filter(kept.contains).map { segments[$0] }
    }
}
