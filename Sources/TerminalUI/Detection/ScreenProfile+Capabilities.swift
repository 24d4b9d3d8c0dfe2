extension ScreenProfile {
    /// Returns the capabilities that the gallery may use.
    ///
    /// These are the initial estimates, updated with the terminal's replies.
    package func capabilities(with detected: TerminalCapabilities) -> ScreenCapabilities {
        var capabilities = capabilities
        capabilities.graphics = detected.protocols.first
        capabilities.offeredGraphics = detected.protocols
        // ncurses supports combining marks on letters but not grapheme cluster sequences.
        capabilities.graphemeClusters = detected.showsGraphemeClusters && paintsDirectly(detected)
        capabilities.terminalColors = detected.background.map {
            TerminalColors(ground: $0, text: detected.foreground)
        }
        capabilities.cellPixels = detected.cellPixels ?? ScreenCapabilities.usualCellPixels
        if let depth = detected.colorDepth, depth != capabilities.colorDepth {
            let isStandard = capabilities.dithering == .standard(for: capabilities.colorDepth)
            capabilities.colorDepth = depth
            if isStandard { capabilities.dithering = .standard(for: depth) }
            if !areSymbolsSettled { capabilities.symbols = .standard(for: depth) }
        }
        if let finer = finerSymbols(detected, capabilities) { capabilities.symbols = finer }
        if detected.hasWideSigns == true {
            capabilities.avoidWideSigns(isSettled: areSymbolsSettled)
        }
        return capabilities
    }

    /// Returns the symbols finer than half blocks that the terminal draws itself, or nil if such
    /// symbols must not be used.
    ///
    /// Finer symbols are used only with 24-bit color. Like half blocks, they have two colors per
    /// cell, which is not enough for good dithering.
    private func finerSymbols(
        _ detected: TerminalCapabilities,
        _ capabilities: ScreenCapabilities
    ) -> SymbolSet? {
        guard !areSymbolsSettled, capabilities.colorDepth == .trueColor, let name = detected.name
        else { return nil }
        let finer = SymbolSet.standard(terminalName: name.name, version: name.version)
        return capabilities.offeredSymbols.contains(finer) ? finer : nil
    }

    /// Returns the reasons for the choice of symbols and painter.
    ///
    /// The reasons are updated with the terminal's replies.
    package func reasonsBeyondColor(_ detected: TerminalCapabilities) -> [String] {
        guard painter == .curses, paintsDirectly(detected) else {
            return Array(reasons.dropFirst())
        }
        return reasons.dropFirst().dropLast()
            + ["direct painter: ncurses cannot use all of the terminal's features"]
    }

    /// Returns whether frames are painted without ncurses.
    ///
    /// ncurses cannot show images, and supports only the colors in its terminfo entry.
    func paintsDirectly(_ detected: TerminalCapabilities) -> Bool {
        painter == .direct || !detected.protocols.isEmpty || detected.hasWideSigns == true
            || detected.colorDepth.map { $0 != capabilities.colorDepth } ?? false
    }
}

extension ScreenCapabilities {
    /// Restricts the symbols to those that occupy one column in every terminal.
    ///
    /// If `isSettled` is true, the user has chosen the symbols, so they are kept.
    fileprivate mutating func avoidWideSigns(isSettled: Bool) {
        (hasWideSigns, keepsLetters) = (true, true)
        guard !isSettled else { return }
        let narrow: [SymbolSet] = [.braille, .ascii]
        if !narrow.contains(symbols) { symbols = .ascii }
        offeredSymbols = offeredSymbols.filter(narrow.contains)
    }
}
