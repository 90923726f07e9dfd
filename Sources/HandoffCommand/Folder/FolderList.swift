// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct FolderList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the containers of installed apps, and the folders of their documents.",
        discussion: """
            A container is a folder that one team's apps share across your devices. If a document in it is open, it is sent with \
            the activity when you continue it.
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
