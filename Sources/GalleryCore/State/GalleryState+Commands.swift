internal import Feeds
import TerminalUI

/// Methods that run prompt commands.
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
        case .open(let feed): return [.feed(.open(feed))]
        case .write(let file, let overwrites): return write(to: file, overwrites)
        case .sort(let key, let sampleCount, let seed):
            return sort(by: key, sampleCount: sampleCount, seed: seed)
        case .reverse: return reverseOrder()
        case .filter(let text): return filter(byCommand: text)
        case .help: prompt.showHelp()
        case .reload: return reloadFeed()
        case .clear(.memory): return [.cache(.clearMemory)]
        case .clear(.disk): prompt.ask(.clearDisk)
        case .theme(let choice):
            settings.theme = choice
            return take(capabilities)
        case .statistics: return showNextStatistics()
        case .set(let setting): return change(setting)
        }
        return []
    }

    private mutating func change(_ setting: Setting) -> [Effect] {
        switch setting {
        case .tiles(let width):
            grid.tileWidth = width
            return settle() + [.rememberTileWidth(width)]
        case .animations(let plays): if plays != animation.isOn { notice = animation.toggle() }
        case .tileStyle(let style): return showImages(style)
        case .autoScroll(let scrolls):
            return scrolls == isAutoScrollOn ? [] : perform(.toggleAutoScroll)
        case .pictures(let word):
            guard let look = capabilities.looks.first(where: { $0.lookWord == word }) else {
                notice = Notice("this terminal cannot draw images as \(word)", .warning)
                return []
            }
            return take(look: look)
        }
        return []
    }
}

extension ScreenCapabilities {
    /// The name of the current display mode, as used by `:set images`.
    var lookWord: String { graphics == nil ? symbols.rawValue : "pixels" }
}
