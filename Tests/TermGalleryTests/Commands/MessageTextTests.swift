import ImageLoading
import Testing

@testable import TermGallery

@Suite struct MessageTextTests {
    @Test func `a quoted argument can neither control the terminal nor end a line`() {
        let argument = "\u{1B}[31m\nError: x\u{9B}"
        let message = "Error: The value '\(argument)' is invalid.\nUsage: x"

        let text = MessageText.of(message, quoting: ["--size", argument])

        #expect(
            text.text == #"Error: The value '\u001b[31m\u000aError: x\u009b' is invalid."#
                + "\nUsage: x"
        )
    }

    @Test(arguments: [
        ["http://me:secret@h/a?key=secret"], ["--size=http://me:secret@h/a?key=secret"],
    ])
    func `a quoted URL contains no secret`(arguments: [String]) throws {
        let value = try #require(arguments.first).drop { $0 != "h" }

        let text = MessageText.of("Error: '\(value)' is invalid.", quoting: arguments)

        #expect(text == "Error: 'http://h/a' is invalid.")
    }

    @Test func `an empty or blank argument changes nothing`() {
        #expect(
            MessageText.of("Error: '' is\nno 'x'.", quoting: ["", "\n"]) == "Error: '' is\nno 'x'."
        )
    }
}
