/// The purpose of a color in a theme.
///
/// The raw value is the name of the color in the configuration.
package enum ColorRole: String, Hashable, Sendable, CaseIterable {
    /// The surfaces: the screen, the card of an image, and the status bar.
    case ground, card, raised
    /// The missing part of an image, and the track of a progress bar.
    case pending, track
    /// The progress bar on its track, and the track in the caption of the selected image.
    case progress
    case selectionTrack = "selection-track"
    /// Text of normal, high and low importance, in this order.
    case caption, strong, dim
    /// The selection, keys and headings, and the text on the selection.
    case accent
    case onSelection = "on-selection"
    /// Images loaded from the disk cache and from the network.
    case fromDisk = "from-disk"
    case fromNetwork = "from-network"
    /// Warnings and errors.
    case warning, failure
}

extension ThemeColors {
    /// Replaces the colors of individual roles with the user's colors.
    package mutating func take(_ colors: [ColorRole: CellColor]) {
        for (role, color) in colors { self[keyPath: Self.path(to: role)] = ThemeColor(color) }
    }

    private static func path(to role: ColorRole) -> WritableKeyPath<ThemeColors, ThemeColor> {
        switch role {
        case .ground: \.ground
        case .card: \.card
        case .raised: \.raised
        case .pending: \.pending
        case .track: \.track
        case .progress: \.progress
        case .selectionTrack: \.selectionTrack
        case .caption: \.caption
        case .strong: \.strong
        case .dim: \.dim
        case .accent: \.accent
        case .onSelection: \.onSelection
        case .fromDisk: \.fromDisk
        case .fromNetwork: \.fromNetwork
        case .warning: \.warning
        case .failure: \.failure
        }
    }
}

extension CellColor {
    /// Parses `#rrggbb` or `#rgb`, or returns nil for any other text.
    package init?(hexadecimal text: String) {
        guard text.hasPrefix("#"), text.utf8.count == 7 || text.utf8.count == 4 else { return nil }
        let digits = text.dropFirst().compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        let parts = digits.count == 3 ? digits.flatMap { [$0, $0] } : digits
        guard parts.count == 6, digits.count == text.count - 1 else { return nil }
        func part(_ index: Int) -> UInt8 { UInt8(parts[index] * 16 + parts[index + 1]) }
        self = .rgb(part(0), part(2), part(4))
    }
}
