import GalleryCore
import ImageLoading
import TerminalUI
import SystemSupport

/// Checks for changes to the configuration while the gallery is open.
///
/// The UI thread checks for changes on every user action. No thread waits for changes, so an idle
/// gallery causes no wake-ups.
final class ConfigurationWatch {
    /// A change to the configuration.
    enum Change: Equatable {
        /// The configuration has new content.
        case settings(GallerySettings)
        /// The configuration is invalid, so the previous configuration stays in effect.
        ///
        /// The value is a one-line message for the user.
        case wrong(String)
    }

    private var configuration: ProgramConfiguration
    private let makeSettings: (ProgramConfiguration) throws -> GallerySettings

    /// Creates a watch.
    ///
    /// `makeSettings` combines a configuration with the command line.
    init(
        _ configuration: ProgramConfiguration,
        makeSettings: @escaping (ProgramConfiguration) throws -> GallerySettings
    ) {
        self.configuration = configuration
        self.makeSettings = makeSettings
    }

    /// Returns the change since the last call, or nil if nothing has changed.
    func look() -> Change? {
        switch configuration.readAgain() {
        case nil: return nil
        case .success: break
        case .failure(let faults):
            let file = FileText.shown(configuration.file?.path ?? "")
            let name = file.split(separator: "/").last.map(String.init) ?? file
            return .wrong(faults.lines(file: name).first ?? name)
        }
        do {
            return .settings(try makeSettings(configuration))
        } catch {
            return .wrong("the configuration conflicts with the command line")
        }
    }
}

extension ConfigurationWatch {
    /// Creates a watch that applies the configuration to the command that opened the gallery.
    convenience init(_ configuration: ProgramConfiguration) {
        self.init(configuration) { configuration in
            let command = try TermGalleryCommand.parse(configuration.arguments)
            var settings = GallerySettings()
            if let command = command as? any GalleryOpening {
                settings = command.gallery.settings
                settings.take(configuration.values, theme: command.screen.overrides.theme)
            }
            return settings
        }
    }
}

/// A command that opens the gallery.
protocol GalleryOpening {
    var gallery: GalleryArguments { get }
    var screen: ScreenArguments { get }
}

extension GalleryCommand: GalleryOpening {}
extension DemoCommand: GalleryOpening {}

extension GallerySettings {
    /// Applies a configuration to the settings.
    mutating func take(_ configuration: Configuration, theme: ThemeChoice) {
        self.theme = theme
        colors = configuration.colors
        keys = configuration.keys
    }
}

extension GalleryProgram {
    /// Applies the configuration if it has changed.
    func lookAtConfiguration() {
        switch configurationWatch?.look() {
        case .settings(let settings)?:
            send(.settings(settings))
            send(.notice("the configuration was read again"))
        case .wrong(let line)?: send(.notice(line, .failure))
        case nil: break
        }
    }
}
