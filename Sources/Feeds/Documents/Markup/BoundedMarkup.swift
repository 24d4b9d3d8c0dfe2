/// A document that libxml2 can read in linear time.
///
/// libxml2 compares each attribute of an element with all others. Its incremental XML parser
/// receives 512 bytes at a time. If a CDATA section or DOCTYPE is unfinished, the parser searches
/// it again from its start for each chunk.
///
/// Attributes and definitions beyond a limit are therefore removed. Long CDATA sections are split,
/// which does not change their text.
package struct BoundedMarkup {
    package enum Language {
        case xml, html
    }

    package static let mostAttributes = 256
    package static let mostDefinitionBytes = 64 << 10
    private static let longestSection = 16 << 10
    /// The bytes that end a CDATA section and start another one.
    ///
    /// The comment between the sections prevents libxml2 from joining them. Each time it joins
    /// sections, libxml2 copies the text of all joined sections.
    private static let sectionBreak = Array("]]><!----><![CDATA[".utf8)

    /// The document, unchanged unless a limit was reached or a section was split.
    package let bytes: [UInt8]
    package let reached: ReachedLimits

    /// Creates a bounded document by scanning the bytes once.
    ///
    /// The encoding must be a superset of ASCII.
    package init(_ bytes: [UInt8], _ language: Language) {
        let (edits, reached) = bytes.withUnsafeBufferPointer { buffer in
            var scan = Scan(bytes: buffer, language: language)
            scan.run()
            return (scan.edits, scan.reached)
        }
        self.reached = reached
        self.bytes = edits.isEmpty ? bytes : Self.applying(edits, to: bytes)
    }

    /// A range of bytes to replace.
    private struct Edit {
        let range: Range<Int>
        let isSectionBreak: Bool
    }

    private static func applying(_ edits: [Edit], to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + edits.count * sectionBreak.count)
        var start = 0
        for edit in edits {
            result += bytes[start..<edit.range.lowerBound]
            // Line ends are kept, so errors are reported with the correct line.
            result +=
                edit.isSectionBreak ? sectionBreak : bytes[edit.range].filter { $0 == 0x0A }
            start = edit.range.upperBound
        }
        return result + bytes[start...]
    }

    private struct Scan {
        let bytes: UnsafeBufferPointer<UInt8>
        let language: Language
        var edits: [Edit] = []
        var reached: ReachedLimits = []

        mutating func run() {
            var index = bytes.place(of: UInt8(ascii: "<"), from: 0)
            while index < bytes.count {
                index = bytes.place(of: UInt8(ascii: "<"), from: markupEnd(at: index))
            }
        }

        /// Returns the position after the tag, comment, section or declaration that starts at
        /// `start`.
        private mutating func markupEnd(at start: Int) -> Int {
            guard start + 1 < bytes.count else { return bytes.count }
            switch bytes[start + 1] {
            case UInt8(ascii: "!"): return declarationEnd(at: start)
            case UInt8(ascii: "?"):
                return bytes.end(of: language == .xml ? "?>" : ">", from: start + 2)
            case UInt8(ascii: "/"): return bytes.end(of: ">", from: start + 2)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
                return tagEnd(at: start)
            default: return start + 1
            }
        }

        private mutating func declarationEnd(at start: Int) -> Int {
            if bytes.has("<!--", at: start) { return bytes.end(of: "-->", from: start + 4) }
            guard language == .xml else { return bytes.end(of: ">", from: start + 2) }
            if bytes.has("<![CDATA[", at: start) { return sectionEnd(from: start + 9) }
            guard bytes.has("<!DOCTYPE", at: start) else { return start + 2 }
            let definitions = XMLProlog.definitions(bytes, ofDoctypeAt: start)
            guard let definitions else { return start + 2 }
            if definitions.count > BoundedMarkup.mostDefinitionBytes {
                edits.append(Edit(range: definitions, isSectionBreak: false))
                reached.insert(.definitions)
            }
            return definitions.upperBound
        }

        /// Splits a CDATA section if it is too long and returns the position after the section.
        private mutating func sectionEnd(from start: Int) -> Int {
            let end = bytes.end(of: "]]>", from: start)
            var place = start + BoundedMarkup.longestSection
            while place < end - 3 {
                // Neither a character nor a line end may be split.
                while bytes[place] & 0xC0 == 0x80 || bytes[place] == 0x0A, place > start {
                    place -= 1
                }
                guard place > (edits.last?.range.lowerBound ?? 0), place > start else { break }
                edits.append(Edit(range: place..<place, isSectionBreak: true))
                place += BoundedMarkup.longestSection
            }
            return end
        }

        /// Removes the attributes beyond the limit from a start tag.
        ///
        /// Returns the position at which the tag ends. For a script or a style sheet, returns the
        /// position at which its content ends.
        private mutating func tagEnd(at start: Int) -> Int {
            var tag = StartTag(bytes, at: start)
            let end = tag.readAttributes(limit: BoundedMarkup.mostAttributes)
            if let cut = tag.firstBeyondLimit {
                let isEmpty = end > cut && bytes[end - 1] == UInt8(ascii: "/")
                edits.append(Edit(range: cut..<(isEmpty ? end - 1 : end), isSectionBreak: false))
                reached.insert(.attributes)
            }
            guard language == .html, let name = tag.rawTextName else { return end }
            return rawTextEnd(name, from: end)
        }

        /// Returns the position at which the end tag of a script or a style sheet starts.
        private func rawTextEnd(_ name: String, from start: Int) -> Int {
            var index = start
            while true {
                index = bytes.place(of: UInt8(ascii: "<"), from: index)
                guard index < bytes.count else { return index }
                let tag = bytes[index...].prefix(2 + name.utf8.count)
                if tag.map(\.lowercasedASCII).elementsEqual("</\(name)".utf8) { return index }
                index += 1
            }
        }
    }
}

/// The attributes of a start tag; the tag may be invalid.
private struct StartTag {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let start: Int
    /// The position of the first attribute beyond the limit, or nil if the limit is not exceeded.
    private(set) var firstBeyondLimit: Int?

    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        (self.bytes, self.start) = (bytes, start)
    }

    /// "script" or "style" if HTML treats the content of the element as raw text; otherwise nil.
    var rawTextName: String? {
        let name = bytes[(start + 1)...].prefix(7).map(\.lowercasedASCII)
        return ["script", "style"].first { raw in
            name.starts(with: raw.utf8) && name.dropFirst(raw.utf8.count).allSatisfy(Self.isEnd)
        }
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte <= 0x20
    }

    /// Reads the attributes and returns the position of the ">" at the end of the tag.
    ///
    /// If another tag starts before the end, returns the position of its "<".
    mutating func readAttributes(limit: Int) -> Int {
        var index = bytes[start...].firstIndex(where: Self.isEnd) ?? bytes.count
        var (count, isBetween, awaitsValue) = (0, false, false)
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: ">"), UInt8(ascii: "<"): return index
            case UInt8(ascii: "="): awaitsValue = true
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard awaitsValue else { break }
                index = bytes.place(of: byte, from: index + 1)
                (isBetween, awaitsValue) = (true, false)
            case _ where byte <= 0x20 || byte == UInt8(ascii: "/"): isBetween = true
            case _ where awaitsValue:
                while index + 1 < bytes.count, !Self.isEnd(bytes[index + 1]) { index += 1 }
                (isBetween, awaitsValue) = (true, false)
            case _ where isBetween:
                isBetween = false
                count += 1
                if count == limit + 1 { firstBeyondLimit = index }
            default: break
            }
            index += 1
        }
        return bytes.count
    }
}
