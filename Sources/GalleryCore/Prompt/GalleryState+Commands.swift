internal import Feeds
import TerminalUI

/// Running commands.
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
        case .write(let file, let overwrites): return write(to: file, overwrites)
        case .sort(let key, let sampleCount, let seed):
            return sort(by: key, sampleCount: sampleCount, seed: seed)
        case .reverse: return reverseOrder()
        case .filter(let text): return filter(byCommand: text)
        case .help: overlay = .help(scroll: 0)
        case .reload: return reloadFeed()
        case .set(let setting): return change(setting)
        }
        return []
    }

    private mutating func change(_ setting: Setting) -> [Effect] {
        switch setting {
        case .tiles(let width):
            settings.tileWidth = width
            return settle() + [.rememberTileWidth(width)]
        case .animations(let plays): if plays != animation.isOn { notice = animation.toggle() }
        case .autoScroll(let scrolls): if scrolls != (autoScroll != nil) { toggleAutoScroll() }
        case .pictures(let word):
            guard let look = capabilities.looks.first(where: { $0.lookWord == word }) else {
                notice = Notice("this terminal cannot draw images as \(word)", .warning)
                return []
            }
            return take(look: look)
        }
        return []
    }

    /// Completes the path before the cursor when its possible completions have arrived.
    mutating func take(completions: [String], ofPath path: String) {
        guard case .prompt(var prompt)? = overlay, prompt.kind == .command,
            CommandTable.path(in: prompt.before) == path, let first = completions.first
        else { return }
        let common = completions.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        if common.count > path.count || completions.count == 1 {
            prompt.replaceBefore(with: String(prompt.before.dropLast(path.count)) + common)
        }
        let names = completions.map { name in
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            let isFolder = parts.last?.isEmpty == true
            return parts.dropLast(isFolder ? 1 : 0).last.map { isFolder ? "\($0)/" : "\($0)" } ?? ""
        }
        prompt.candidates = completions.count == 1 ? [] : names
        overlay = .prompt(prompt)
    }

    /// Returns the prompt with the text before the cursor completed as far as the completions
    /// agree.
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
    /// The name of the display mode in `:set images`.
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
