import ImageLoading

extension FeedRecords: SearchedRecords {
    package func escapes(hiding needle: TextNeedle) -> [[UInt8]] {
        let isASCII = needle.text.utf8.allSatisfy { $0 < 0x80 }
        let isEscaped = needle.text.utf8.contains {
            $0 == 0x22 || $0 == 0x5C || $0 == 0x2F || $0 < 0x20
        }
        switch format {
        case .rows:
            // Only a quotation mark is escaped.
            return [Array("%".utf8)] + (needle.text.contains("\"") ? [Array("\"\"".utf8)] : [])
        case .jsonLines, .jsonElements:
            // Escape sequences for ASCII letters are rare.
            let escape = isEscaped ? "\\" : isASCII ? "\\u00" : "\\u"
            return [Array("%".utf8), Array(escape.utf8)]
        }
    }

    package var telltales: [UInt8] {
        let escape =
            switch format {
            case .jsonLines, .jsonElements: UInt8(ascii: "\\")
            case .rows: UInt8(ascii: "\"")
            }
        return [UInt8(ascii: "@"), UInt8(ascii: "%"), escape]
    }

    package func has(
        _ needle: TextNeedle,
        _ record: UnsafeBufferPointer<UInt8>,
        at place: Int?,
        isPlain: Bool
    ) -> Bool {
        guard record.count <= RecordParser.maximumRecordByteCount else { return false }
        var has = false
        forEachValue(of: record) { value in
            // A value that ends before the match cannot contain it.
            if isPlain, value.upperBound <= place ?? .max { return true }
            let bytes = record[value]
            let buffer = UnsafeBufferPointer(rebasing: bytes)
            // The characters of a data URL are not searched.
            if buffer.startsAsData { return true }
            if isPlain {
                has = ends(needle, at: place, in: value) || needle.isFound(in: buffer)
                return !has
            }
            let mayHideSecret = bytes.contains(UInt8(ascii: "@"))
            let isWritten = isAsItIs(bytes)
            guard mayHideSecret || !isWritten || bytes.contains(UInt8(ascii: "%")) else {
                has = place != nil && needle.isFound(in: buffer)
                return !has
            }
            var shown = isWritten ? Array(bytes) : content(bytes)
            if mayHideSecret {
                let text = String(decoding: shown, as: UTF8.self)
                shown = Array(URLParts.withoutLogin(text).utf8)
            }
            has = needle.isFound(in: shown) || needle.isFound(in: PercentCoding.decoded(shown))
            return !has
        }
        return has
    }

    /// Returns whether the match at `place` is entirely inside `value`.
    ///
    /// If so, the value need not be searched again.
    private func ends(_ needle: TextNeedle, at place: Int?, in value: Range<Int>) -> Bool {
        guard let place, let byteCount = needle.byteCount, value.contains(place) else {
            return false
        }
        return byteCount <= value.upperBound - place
    }

    private func forEachValue(
        of record: UnsafeBufferPointer<UInt8>,
        _ body: (Range<Int>) -> Bool
    ) {
        switch format {
        case .jsonLines, .jsonElements: JSONText.forEachValue(record, body)
        case .rows(let dialect):
            dialect.forEachField(record, limit: RecordParser.maximumColumnCount, body)
        }
    }

    /// Returns whether a value contains no escape sequences.
    private func isAsItIs(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        switch format {
        case .jsonLines, .jsonElements: !value.contains(0x5C)
        case .rows: value.first != 0x22
        }
    }

    private func content(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        switch format {
        case .jsonLines, .jsonElements: JSONText.unescaped(value)
        case .rows: TableDialect.content(value)
        }
    }
}
