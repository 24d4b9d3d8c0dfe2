/// The positions of the image URL and the caption in a record.
package enum RecordLayout: Hashable, Sendable {
    /// The paths of the URL and the caption in a JSON object.
    case object(url: RecordPath, caption: RecordPath?)
    /// The column indices of the URL and the caption in a table row, and the column names, if
    /// known.
    case row(TableDialect, columns: [String], url: Int, caption: Int?)

    package var hasCaption: Bool {
        switch self {
        case .object(_, let caption): caption != nil
        case .row(_, _, _, let caption): caption != nil
        }
    }
}

/// A dotted path into a JSON value; an empty path refers to the value itself.
package struct RecordPath: Hashable, Sendable {
    package let text: String
    /// The components of the path as bytes.
    package let steps: [[UInt8]]

    package init(_ text: String) {
        self.text = text
        steps = text.isEmpty ? [] : text.split(separator: ".").map { Array($0.utf8) }
    }

    package func value(in record: JSONValue) -> JSONValue? {
        text.isEmpty ? record : record[path: text]
    }
}

/// Detects the URL and caption fields, based on the first records and the user's options.
package struct RecordLayoutFinder {
    package let records: FeedRecords
    package let options: FeedOptions
    package let title: String
    package var limits = RecordParser.limits

    /// The number of records that are examined.
    package static let sampleCount = 20

    /// The detected layout, and whether the records have a heading.
    package struct Result {
        package let layout: RecordLayout
        /// Whether the first record contains the column names.
        package var hasHeading = false
        /// A remark about the detected keys or columns, or nil if the user specified the URL key or
        /// column, or if the records are strings.
        package var remark: String?
    }

    /// Detects the fields that contain the URL and the caption.
    ///
    /// If the URL cannot be detected, throws an error that names the option to set.
    package func find() throws(FeedError) -> Result {
        switch records.format {
        case .jsonLines, .jsonElements: try object()
        case .rows(let dialect): try row(dialect)
        }
    }

    // MARK: - Objects

    private func object() throws(FeedError) -> Result {
        var values: [JSONValue] = []
        var fault: JSONFault?
        for index in 0..<min(records.count, Self.sampleCount) {
            do throws(JSONFault) {
                values.append(try records.withRecord(index) { parsed($0) }.get())
            } catch {
                if error == .noLibrary { throw FeedError("\(title): \(error)") }
                fault = fault ?? error
            }
        }
        if let fault, values.isEmpty { throw FeedError("\(title): \(fault)") }
        if values.contains(where: { $0.string != nil }), options.urlKey == nil {
            return Result(layout: .object(url: RecordPath(""), caption: nil))
        }
        let candidates = Self.candidates(of: values)
        let named = options.urlKey ?? options.urlColumn
        if let named, !values.contains(where: { $0[path: named]?.string != nil }) {
            throw absent(named, candidates, kind: "key")
        }
        let names = RecordNames(candidates)
        guard let url = named ?? names.url else { throw unknown(candidates, kind: "key") }
        let namedCaption = options.captionKey ?? options.captionColumn
        let caption =
            namedCaption
            ?? (named == nil ? names.caption : RecordNames.caption(candidates, ofAddress: url))
        return Result(
            layout: .object(url: RecordPath(url), caption: caption.map(RecordPath.init)),
            remark: remark(url, caption, isSaid: named != nil)
        )
    }

    private func parsed(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Swift.Result<JSONValue, JSONFault> {
        do throws(JSONFault) {
            return .success(try JSONValue(parsing: bytes, limits: limits))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the strings in the records, grouped by path.
    ///
    /// Only the first element of an array is examined, and only values up to five levels deep. The
    /// search ends at 1,000 paths.
    private static func candidates(of records: [JSONValue]) -> [RecordNames.Candidate] {
        var candidates: [RecordNames.Candidate] = []
        var places: [String: Int] = [:]
        func add(_ value: JSONValue, path: String, depth: Int) {
            let prefix = path.isEmpty ? "" : path + "."
            switch value {
            case .string(let text):
                guard candidates.count < 1000 else { return }
                let place = places[path] ?? candidates.count
                if place == candidates.count {
                    places[path] = place
                    candidates.append(RecordNames.Candidate(name: path))
                }
                candidates[place].values.append(text)
            case .object(let members) where depth < 5:
                for member in members {
                    add(member.value, path: prefix + member.name, depth: depth + 1)
                }
            case .array(let values) where depth < 5:
                // A record that is an array is treated as a row of up to eight columns.
                for (index, value) in values.prefix(depth == 0 ? 8 : 1).enumerated() {
                    add(value, path: prefix + "\(index)", depth: depth + 1)
                }
            case .null, .bool, .number, .object, .array: break
            }
        }
        for record in records { add(record, path: "", depth: 0) }
        return candidates
    }

    // MARK: - Rows

    private func row(_ dialect: TableDialect) throws(FeedError) -> Result {
        let rows = (0..<min(records.count, Self.sampleCount)).map { index in
            records.withRecord(index) { record in
                dialect.fields(record, limit: RecordParser.maximumColumnCount)
                    .map { Self.text(TableDialect.content(record[$0])) }
            }
        }
        guard let first = rows.first else {
            throw FeedError(name: title, notAFeed: "contains no images")
        }
        let hasHeading = !first.contains(where: PictureNames.isAddress)
        let columns = hasHeading ? first : first.indices.map { "\($0 + 1)" }
        let candidates = columns.enumerated().map { place, name in
            RecordNames.Candidate(
                name: name,
                values: rows.dropFirst(hasHeading ? 1 : 0).compactMap { row in
                    row.indices.contains(place) ? row[place] : nil
                }
            )
        }
        let named = options.urlColumn ?? options.urlKey
        let names = RecordNames(candidates)
        guard let url = named ?? names.url ?? fallback(columns) else {
            throw unknown(candidates, kind: "column")
        }
        guard let urlPlace = Self.place(of: url, columns) else {
            throw absent(url, candidates, kind: "column")
        }
        let namedCaption = options.captionColumn ?? options.captionKey
        let captionPlace = namedCaption.flatMap { Self.place(of: $0, columns) }
        if let namedCaption, captionPlace == nil {
            throw absent(namedCaption, candidates, kind: "column", option: "--caption-column")
        }
        let caption = named == nil ? names.caption : RecordNames.caption(candidates, ofAddress: url)
        let place = captionPlace ?? caption.flatMap { Self.place(of: $0, columns) }
        return Result(
            layout: .row(dialect, columns: columns, url: urlPlace, caption: place),
            hasHeading: hasHeading,
            remark: remark(url, namedCaption ?? caption, isSaid: named != nil)
        )
    }

    /// Returns the first column with a name that suggests URLs.
    ///
    /// This column is used if no column can be selected by its values. Returns nil if no name
    /// suggests URLs.
    private func fallback(_ columns: [String]) -> String? {
        columns.first(where: RecordNames.isForAddresses)
    }

    /// Returns the index of the column with this name or number; numbers start at 1.
    private static func place(of name: String, _ columns: [String]) -> Int? {
        if let place = columns.firstIndex(of: name) { return place }
        let simple = RecordNames.simplified(name)
        if let place = columns.firstIndex(where: { RecordNames.simplified($0) == simple }) {
            return place
        }
        guard let number = Int(name), columns.indices.contains(number - 1) else { return nil }
        return number - 1
    }

    /// Decodes a UTF-8 string and removes surrounding white space.
    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).trimmed
    }

    // MARK: - Remarks and errors

    private func remark(_ url: String, _ caption: String?, isSaid: Bool) -> String? {
        guard !isSaid else { return nil }
        let captions = caption.map { ", captions from \"\(Self.shown($0))\"" } ?? ""
        return "\(title): image URLs from \"\(Self.shown(url))\"\(captions)"
    }

    private func unknown(_ candidates: [RecordNames.Candidate], kind: String) -> FeedError {
        FeedError(
            "\(title): no \(kind) with image URLs was found; set it with --url-\(kind)"
                + Self.list(candidates, kind)
        )
    }

    private func absent(
        _ name: String,
        _ candidates: [RecordNames.Candidate],
        kind: String,
        option: String? = nil
    ) -> FeedError {
        FeedError(
            "\(title): no \(kind) \"\(Self.shown(name))\" with a text was found; "
                + "correct \(option ?? "--url-\(kind)")" + Self.list(candidates, kind)
        )
    }

    private static func list(_ candidates: [RecordNames.Candidate], _ kind: String) -> String {
        guard !candidates.isEmpty else { return " (no \(kind) has a text)" }
        let more = candidates.count > 12 ? ", …" : ""
        let names = candidates.prefix(12).map { $0.name.isEmpty ? "\"\"" : shown($0.name) }
        return " (\(kind)s: \(names.joined(separator: ", "))\(more))"
    }

    /// Returns a version of a name that is safe to show in a line of text.
    ///
    /// Control characters and similar characters are replaced, and a long name is truncated after
    /// 60 Unicode scalars.
    package static func shown(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars.prefix(60) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
                .unassigned:
                scalars.append("\u{FFFD}")
            default: scalars.append(scalar)
            }
        }
        return String(scalars) + (name.unicodeScalars.count > 60 ? "…" : "")
    }
}
