import ImageLoading
import SystemSupport

/// Rules that exclude files and folders in a tree, in the syntax of `.gitignore` patterns.
///
/// `*`, `?` and `[a-z]` do not match a slash, and `**` between slashes matches any number of
/// folders. A pattern with a slash before its end is relative to the root of the tree; other
/// patterns match at any depth. A pattern that ends with a slash matches only folders. A pattern
/// that starts with `!` includes files and folders that an earlier pattern excludes. The last
/// matching pattern takes precedence.
package struct ExclusionRules: Hashable, Sendable {
    private struct Rule: Hashable {
        let isException: Bool
        let isOfFolders: Bool
        let segments: [[UInt8]]
    }

    private static let anyFolders = Array("**".utf8)
    private let rules: [Rule]

    /// Creates rules from patterns in order; empty patterns are ignored.
    package init(_ patterns: [String] = []) {
        rules = patterns.compactMap(Self.rule)
    }

    package var isEmpty: Bool { rules.isEmpty }

    private static func rule(_ pattern: String) -> Rule? {
        let slash = UInt8(ascii: "/")
        var bytes = FileText.bytes(of: pattern)[...]
        let isException = bytes.first == UInt8(ascii: "!")
        if isException { bytes = bytes.dropFirst() }
        let isOfFolders = bytes.last == slash
        if isOfFolders { bytes = bytes.dropLast() }
        guard !bytes.isEmpty else { return nil }
        let isAnchored = bytes.contains(slash)
        if bytes.first == slash { bytes = bytes.dropFirst() }
        var segments = bytes.split(separator: slash, omittingEmptySubsequences: false)
            .map { Array($0) }
        if !isAnchored { segments.insert(anyFolders, at: 0) }
        return Rule(isException: isException, isOfFolders: isOfFolders, segments: segments)
    }

    /// Returns whether a file or folder is excluded; `path` is relative to the root, encoded by
    /// `FileText`.
    ///
    /// The caller must first check the parent folders: everything in an excluded folder is
    /// excluded, regardless of other patterns.
    package func exclude(_ path: String, isFolder: Bool) -> Bool {
        guard !rules.isEmpty else { return false }
        let segments = FileText.bytes(of: path).split(separator: UInt8(ascii: "/"))
        let decisive = rules.last { rule in
            (isFolder || !rule.isOfFolders) && Self.matches(rule.segments[...], segments[...])
        }
        return decisive.map { !$0.isException } ?? false
    }

    private static func matches(
        _ pattern: ArraySlice<[UInt8]>,
        _ path: ArraySlice<ArraySlice<UInt8>>
    ) -> Bool {
        let end = Stars.walk(pattern, path, isStar: { $0 == anyFolders }) { step, name in
            Glob.matches(pattern[step], name) ? step + 1 : nil
        }
        // At the end of a pattern, `**` matches the content of a folder, but not the folder itself.
        return end == pattern.endIndex
    }
}

/// Matches patterns in which a star matches any number of elements.
private enum Stars {
    /// Compares a pattern with a sequence of elements.
    ///
    /// After a mismatch, the last star matches one more element. Returns nil if the elements do not
    /// match. Otherwise, returns the index in the pattern that was reached after the last element.
    /// The rest of the pattern may consist of stars, so the caller must check it.
    ///
    /// `next` returns the index in the pattern after the part that matches an element, or nil if it
    /// does not match.
    static func walk<Step, Part>(
        _ pattern: ArraySlice<Step>,
        _ parts: ArraySlice<Part>,
        isStar: (Step) -> Bool,
        next: (_ step: Int, _ part: Part) -> Int?
    ) -> Int? {
        var (step, place) = (pattern.startIndex, parts.startIndex)
        var retry: (step: Int, place: Int)?
        while place < parts.endIndex {
            if step < pattern.endIndex, isStar(pattern[step]) {
                step += 1
                retry = (step, place)
            } else if step < pattern.endIndex, let behind = next(step, parts[place]) {
                (step, place) = (behind, place + 1)
            } else if let last = retry {
                retry = (last.step, last.place + 1)
                (step, place) = (last.step, last.place + 1)
            } else {
                return nil
            }
        }
        return step
    }
}

/// Matches file names, which contain no slashes, against patterns.
private enum Glob {
    static func matches(_ pattern: [UInt8], _ name: ArraySlice<UInt8>) -> Bool {
        let star = UInt8(ascii: "*")
        let end = Stars.walk(pattern[...], name, isStar: { $0 == star }) { step, byte in
            next(pattern, step: step, byte: byte)
        }
        return end.map { pattern[$0...].allSatisfy { $0 == star } } ?? false
    }

    /// Returns the index in the pattern after the part at `step` if this part matches a byte, or
    /// nil if it does not.
    private static func next(_ pattern: [UInt8], step: Int, byte: UInt8) -> Int? {
        switch pattern[step] {
        case UInt8(ascii: "?"): return step + 1
        case UInt8(ascii: "["): return behindClass(pattern, start: step + 1, byte: byte)
        case UInt8(ascii: "\\"):
            return step + 1 < pattern.count && pattern[step + 1] == byte ? step + 2 : nil
        case let own: return own == byte ? step + 1 : nil
        }
    }

    private static func behindClass(_ pattern: [UInt8], start: Int, byte: UInt8) -> Int? {
        var index = start
        let isNegated = index < pattern.count && "!^".utf8.contains(pattern[index])
        if isNegated { index += 1 }
        let first = index
        var isFound = false
        func take() -> UInt8? {
            if index < pattern.count, pattern[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < pattern.count else { return nil }
            defer { index += 1 }
            return pattern[index]
        }
        // A closing bracket in the first position is part of the class.
        while index == first || index >= pattern.count || pattern[index] != UInt8(ascii: "]") {
            guard let low = take() else { return nil }
            var high = low
            if index + 1 < pattern.count, pattern[index] == UInt8(ascii: "-"),
                pattern[index + 1] != UInt8(ascii: "]")
            {
                index += 1
                guard let end = take() else { return nil }
                high = end
            }
            if low <= byte, byte <= high { isFound = true }
        }
        return isFound != isNegated ? index + 1 : nil
    }
}
