// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct FolderList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the containers of installed apps, and where their documents lie here.",
        discussion: """
            A container is a folder that the apps of one team share with themselves on your other devices. A document in \
            it that is open goes along when the activity is continued.
            """)

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(Listing(folders: try common.connect().folders().map(ShownFolder.init)))
    }
}

extension BlockingClient {
    /// `check`: also examines each folder.
    func folders(check: Bool = false) throws(Failure) -> [ContainerFolder] {
        try ask(.documents(.listFolders(check: check)), \.folders)
    }
}

extension LocalMessage {
    var folders: [ContainerFolder]? {
        guard case .documents(.folderList(let folders)) = self else { return nil }
        return folders
    }
}
