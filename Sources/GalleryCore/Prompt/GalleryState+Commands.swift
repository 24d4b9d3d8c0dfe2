/// What the commands after the colon do.
extension GalleryState {
    mutating func run(command line: String) -> [Effect] {
        switch CommandTable.parse(line) {
        case nil: return []
        case .failure(let problem):
            notice = Notice(problem.text, .warning)
            return []
        case .success(let command): return run(command)
        }
    }

    private mutating func run(_ command: PromptCommand) -> [Effect] {
        switch command {
        case .picture(let number): return go(to: number - 1)
        case .percent(let percent): return go(percent: percent)
        case .quit: return [.quit]
        case .open(let feed): return [.openFeed(feed)]
        case .sort(let key, let sampleCount): return sort(by: key, sampleCount: sampleCount)
        case .reverse: return reverseOrder()
        case .filter(let text): return filter(byCommand: text)
        case .help: overlay = .help(scroll: 0)
        case .set(let setting): return change(setting)
        }
        return []
    }

    private mutating func change(_ setting: Setting) -> [Effect] {
        switch setting {
        case .tiles(let width):
            settings.tileWidth = width
            return settle() + [.rememberTileWidth(width)]
        case .animations(let plays): if plays != playsAnimations { toggleAnimations() }
        case .autoScroll(let scrolls): if scrolls != (autoScroll != nil) { toggleAutoScroll() }
        case .pictures(let word):
            guard let look = capabilities.looks.first(where: { $0.lookWord == word }) else {
                notice = Notice("this terminal can't draw pictures as \(word)", .warning)
                return []
            }
            return take(look: look)
        }
        return []
    }

    /// Makes the word before the cursor longer, as far as only one thing can be meant.
    func completed(_ prompt: LinePrompt) -> LinePrompt {
        var prompt = prompt
        let completions = CommandTable.completions(of: prompt.before)
        guard let first = completions.first else { return prompt }
        let common = completions.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        if completions.count == 1 {
            prompt.replaceBefore(with: first + " ")
        } else if common.count > prompt.before.count {
            prompt.replaceBefore(with: common)
        }
        let shown = completions.count == 1 ? [] : completions
        prompt.candidates = shown.map {
            $0.split(separator: " ").dropFirst().isEmpty ? $0 : $0.withoutFirstWord
        }
        return prompt
    }
}

extension ScreenCapabilities {
    /// What `:set pictures` calls the way pictures are drawn.
    var lookWord: String { graphics == nil ? symbols.rawValue : "pixels" }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }

    fileprivate var withoutFirstWord: String {
        String(drop { $0 != " " }.drop { $0 == " " })
    }
}
