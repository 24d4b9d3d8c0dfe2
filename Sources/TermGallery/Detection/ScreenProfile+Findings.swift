import GalleryCore

extension ScreenProfile {
    /// What the gallery may use of a terminal: what was guessed at the start, and what the terminal
    /// has answered since.
    func capabilities(with findings: TerminalFindings) -> ScreenCapabilities {
        var capabilities = capabilities
        capabilities.graphics = findings.protocols.first
        capabilities.offeredGraphics = findings.protocols
        capabilities.graphemeClusters = findings.showsGraphemeClusters
        capabilities.terminalColors = findings.background.map {
            TerminalColors(ground: $0, text: findings.foreground)
        }
        capabilities.cellPixels = findings.cellPixels ?? ScreenCapabilities.usualCellPixels
        if let depth = findings.colorDepth, depth != capabilities.colorDepth {
            let isStandard = capabilities.dithering == .standard(for: capabilities.colorDepth)
            capabilities.colorDepth = depth
            if isStandard { capabilities.dithering = .standard(for: depth) }
            if !areSymbolsSettled { capabilities.symbols = .standard(for: depth) }
        }
        return capabilities
    }
}
