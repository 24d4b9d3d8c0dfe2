import Feeds
import GalleryCore
import Testing
import VirtualTerminal

extension EndToEnd {
    @Suite struct RememberedPlaceTests {
        private let program = TestProgram()

        /// Opens the gallery, sees where it is, presses keys, sees where they lead, and quits.
        private func visit(
            _ arguments: [String],
            at place: String,
            pressing keys: String = "",
            to end: String? = nil
        ) throws {
            let terminal = try program.openGallery(arguments)
            try terminal.expectPosition(place)
            terminal.type(keys)
            try terminal.expectPosition(end ?? place)
            terminal.type("q")
            try terminal.expectEnd(.exited(0))
        }

        @Test func `a feed opens at its last position, unless --no-remember is set`() throws {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 20)
            try visit([folder], at: "1/20", pressing: "12Gl", to: "13/20")
            try visit([folder], at: "13/20", pressing: "l", to: "14/20")
            try visit(["--no-remember", folder], at: "1/20", pressing: "l", to: "2/20")
            try visit([folder], at: "14/20")
            try visit(["--alone", "\(folder)/picture 3.jpg"], at: "1/1")
        }

        @Test func `an image opens at its place in its folder, unless it is named with others`()
            throws
        {
            defer { program.remove() }
            let folder = try program.pictureFolder(count: 5)
            try visit(["\(folder)/picture 3.jpg"], at: "3/5", pressing: "l", to: "4/5")
            try visit(["\(folder)/picture 3.jpg"], at: "3/5", pressing: "\rnq", to: "4/5")
            try visit(["\(folder)/picture 3.jpg", "\(folder)/picture 3.jpg"], at: "1/2")
        }
    }
}
