import GalleryCore

extension ScreenProfile {
    /// What the gallery may use of a terminal: what was guessed at the start, and what the terminal
    /// has answered since.
    func capabilities(with findings: TerminalFindings) -> ScreenCapabilities {
        var capabilities = capabilities
        capabilities.graphics = findings.protocols.first
        capabilities.offeredGraphics = findings.protocols
        // ncurses knows marks on letters, and no sequences.
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

    /// The symbols that the terminal is known to draw itself; nil where they aren't to be used.
    ///
    /// They have two colours a cell, as half blocks do, which is little to dither with.
    private func finerSymbols(
        _ findings: TerminalFindings,
        _ capabilities: ScreenCapabilities
    ) -> SymbolSet? {
        guard !areSymbolsSettled, capabilities.colorDepth == .trueColor, let name = findings.name
        else { return nil }
        let finer = SymbolSet.standard(terminalName: name.name, version: name.version)
        return capabilities.offeredSymbols.contains(finer) ? finer : nil
    }

    /// Why symbols and painter are what they are, with what the terminal has told.
    func reasonsBeyondColor(_ findings: TerminalFindings) -> [String] {
        guard painter == .curses, paintsDirectly(findings) else {
            return Array(reasons.dropFirst())
        }
        return reasons.dropFirst().dropLast()
            + ["direct painter: ncurses cannot use all of the terminal's features"]
    }

    /// Whether frames are written without ncurses, which knows no pictures, and no more colours
    /// than its entry.
    func paintsDirectly(_ findings: TerminalFindings) -> Bool {
        painter == .direct || !findings.protocols.isEmpty || findings.hasWideSigns == true
            || findings.colorDepth.map { $0 != capabilities.colorDepth } ?? false
    }
}

extension ScreenCapabilities {
    /// Draws with what takes one column in every terminal; blocks were asked for if that is settled.
    fileprivate mutating func avoidWideSigns(isSettled: Bool) {
        (hasWideSigns, keepsLetters) = (true, true)
        guard !isSettled else { return }
        let narrow: [SymbolSet] = [.braille, .ascii]
        if !narrow.contains(symbols) { symbols = .ascii }
        offeredSymbols = offeredSymbols.filter(narrow.contains)
    }
}
