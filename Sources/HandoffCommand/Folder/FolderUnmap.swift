// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct FolderUnmap: Verb {
    static let configuration = CommandConfiguration(
        commandName: "unmap", abstract: "Store a container's documents in the default location again.",
        discussion: """
            Nothing is moved. If no app of its team is installed, the container then has no owner, and the next app that names \
            it becomes its owner.
            """)

    @Argument(help: ArgumentHelp("The container, as handoff folder list shows it.", valueName: "id"))
    var container: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let folder = try FolderChoice(container).choose(from: client.folders())
        let unmapped = try client.ask(.documents(.unmapFolder(folder.container))) { $0.folders?.first }
        output.show(ShownMapping(unmapped, former: folder.path))
    }
}
