import Testing

@testable import ImageLoading
import SystemSupport

@Suite struct UserFoldersTests {
    @Test(
        arguments: [
            (nil, "/home/me", "/home/me/.config", "/home/me/.local/share", "/home/me/.local/state"),
            ("relative", "/h/", "/h/.config", "/h/.local/share", "/h/.local/state"),
            ("/xdg", "/h", "/xdg", "/xdg", "/xdg"), ("/xdg", nil, "/xdg", "/xdg", "/xdg"),
            ("", "home", nil, nil, nil), (nil, nil, nil, nil, nil),
        ] as [(String?, String?, String?, String?, String?)]
    )
    func `folders are named by variables with absolute paths, or are in the home folder`(
        chosen: String?,
        home: String?,
        configuration: String?,
        data: String?,
        state: String?
    ) {
        let folders = UserFolders { $0 == "HOME" ? home : chosen }

        #expect(folders.configuration == configuration)
        #expect(folders.data == data && folders.state == state)
    }
}
