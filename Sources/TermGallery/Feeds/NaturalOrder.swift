/// File names as people order them: "picture 9.jpg" before "picture 10.jpg", case ignored.
enum NaturalOrder {
    static func areInOrder(_ left: String, _ right: String) -> Bool {
        let (leftParts, rightParts) = (parts(left), parts(right))
        for (leftPart, rightPart) in zip(leftParts, rightParts) where leftPart != rightPart {
            return isBefore(leftPart, rightPart)
        }
        guard leftParts.count == rightParts.count else {
            return leftParts.count < rightParts.count
        }
        return left < right
    }

    private static func isBefore(_ left: Substring, _ right: Substring) -> Bool {
        guard left.first?.isASCIIDigit == true, right.first?.isASCIIDigit == true else {
            return left < right
        }
        // Numbers of any length: without leading zeros, the longer one is the larger one.
        let (leftNumber, rightNumber) = (left.drop { $0 == "0" }, right.drop { $0 == "0" })
        guard leftNumber.count == rightNumber.count else {
            return leftNumber.count < rightNumber.count
        }
        return leftNumber == rightNumber ? left.count < right.count : leftNumber < rightNumber
    }

    /// Runs of digits and runs of everything else.
    private static func parts(_ name: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = name.lowercased()[...]
        while let first = rest.first {
            let part = rest.prefix { $0.isASCIIDigit == first.isASCIIDigit }
            parts.append(part)
            rest = rest[part.endIndex...]
        }
        return parts
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
