import GalleryCore
import ImageLoading

/// Looks whether the configuration was changed while the gallery is open.
///
/// Lives on the UI thread, which asks it at each thing a person does: no thread waits for a change,
/// so that an idle gallery wakes nobody.
final class ConfigurationWatch {
    /// What has become of the configuration.
    enum Change: Equatable {
        /// It says something else now.
        case settings(GallerySettings)
        /// It can't be taken; what was in force stays so. A line for a person.
        case wrong(String)
    }

    private var configuration: ProgramConfiguration
    private let makeSettings: (ProgramConfiguration) throws -> GallerySettings

    /// `makeSettings` says what a configuration and the command line make of the gallery.
    init(
        _ configuration: ProgramConfiguration,
        makeSettings: @escaping (ProgramConfiguration) throws -> GallerySettings
    ) {
        self.configuration = configuration
        self.makeSettings = makeSettings
    }

    /// The change since the last look; nil if there is none.
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
    /// Watches the program's own configuration, for the command that opened the gallery.
    convenience init(_ configuration: ProgramConfiguration) {
        self.init(configuration) { configuration in
            let command = try TermGalleryCommand.parse(configuration.arguments)
            var settings = GallerySettings()
            if let command = command as? any GalleryOpening {
                settings = command.gallery.settings
                settings.take(configuration.values, theme: command.screen.theme)
            }
            return settings
        }
    }
}

/// A command that opens the gallery.
protocol GalleryOpening {
    /// How the gallery behaves.
    var gallery: GalleryArguments { get }
    /// What the screen can show.
    var screen: ScreenArguments { get }
}

extension GalleryCommand: GalleryOpening {}
extension DemoCommand: GalleryOpening {}

extension GallerySettings {
    /// Takes what a configuration says of the gallery.
    mutating func take(_ configuration: Configuration, theme: ThemeChoice) {
        self.theme = theme
        colors = configuration.colors
        keys = configuration.keys
    }
}

extension GalleryProgram {
    /// Takes what the configuration says now, if it was changed.
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
