import ArgumentParser

@main
struct TermGalleryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "termgallery")
}
