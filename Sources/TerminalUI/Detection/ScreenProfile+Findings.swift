extension ScreenProfile {
    /// Returns the capabilities that the gallery may use: the initial guesses, updated with the
    /// terminal's answers.
    package func capabilities(with findings: TerminalFindings) -> ScreenCapabilities {
        var capabilities = capabilities
        capabilities.graphics = findings.protocols.first
        capabilities.offeredGraphics = findings.protocols
        // ncurses supports combining marks on letters but not grapheme cluster sequences.
        capabilities.graphemeClusters = findings.showsGraphemeClusters && paintsDirectly(findings)
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
        if let finer = finerSymbols(findings, capabilities) { capabilities.symbols = finer }
        if findings.hasWideSigns == true {
            capabilities.avoidWideSigns(isSettled: areSymbolsSettled)
        }
        return capabilities
    }

    /// Returns the finer symbols that the terminal draws itself, or nil if they must not be used.
    ///
    /// Finer symbols are used only with 24-bit color. Like half blocks, they have two colors per
    /// cell, which is too few for good dithering.
    private func finerSymbols(
        _ findings: TerminalFindings,
        _ capabilities: ScreenCapabilities
    ) -> SymbolSet? {
        guard !areSymbolsSettled, capabilities.colorDepth == .trueColor, let name = findings.name
        else { return nil }
        let finer = SymbolSet.standard(terminalName: name.name, version: name.version)
        return capabilities.offeredSymbols.contains(finer) ? finer : nil
    }

    /// Returns the reasons for the choice of symbols and painter, updated with the terminal's
    /// answers.
    package func reasonsBeyondColor(_ findings: TerminalFindings) -> [String] {
        guard painter == .curses, paintsDirectly(findings) else {
            return Array(reasons.dropFirst())
        }
        return reasons.dropFirst().dropLast()
            + ["direct painter: ncurses cannot use all of the terminal's features"]
    }

    /// Returns whether frames are written without ncurses.
    ///
    /// ncurses can't show images and supports only the colors of its terminfo entry.
    func paintsDirectly(_ findings: TerminalFindings) -> Bool {
        painter == .direct || !findings.protocols.isEmpty || findings.hasWideSigns == true
            || findings.colorDepth.map { $0 != capabilities.colorDepth } ?? false
    }
}

extension ScreenCapabilities {
    /// Restricts the symbols to symbols that take one column in every terminal.
    ///
    /// If `isSettled` is true, the user has chosen the symbols, and they are kept.
    fileprivate mutating func avoidWideSigns(isSettled: Bool) {
        (hasWideSigns, keepsLetters) = (true, true)
        guard !isSettled else { return }
        let narrow: [SymbolSet] = [.braille, .ascii]
        if !narrow.contains(symbols) { symbols = .ascii }
        offeredSymbols = offeredSymbols.filter(narrow.contains)
    }
}
