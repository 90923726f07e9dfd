// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct FolderMap: Verb {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: "Choose the folder of a container's documents on this device.",
        discussion: """
            The folder must exist and belong to you. Another tool, such as Syncthing, may synchronize it. Nothing is moved, and \
            your other devices are not notified.
            """)

    @Argument(help: ArgumentHelp("The container, as handoff folder list shows it.", valueName: "id"))
    var container: String

    @Argument(help: "The folder.", completion: .directory)
    var path: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let path = try AbsolutePath(argument: path)
        let client = try common.connect()
        let folder = try FolderChoice(container).choose(from: client.folders())
        let mapped = try client.ask(.documents(.mapFolder(folder.container, path))) { $0.folders?.first }
        output.show(ShownMapping(mapped, former: folder.path))
    }
}
