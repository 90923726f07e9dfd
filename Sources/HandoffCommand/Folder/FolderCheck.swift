// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffWire

struct FolderCheck: Verb {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check whether container folders can receive documents.",
        discussion: "Exits with \(ExitStatus.failed.rawValue) if a folder has a problem.")

    @Argument(help: ArgumentHelp("Only this container.", valueName: "id"))
    var container: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        var folders = try common.connect().folders(check: true)
        if let container { folders = [try FolderChoice(container).choose(from: folders)] }
        output.show(Listing(folders: folders.map(CheckedFolder.init)))
        let problems = folders.count { $0.problem != nil }
        guard problems == 0 else {
            throw CommandFailure(
                .failed, code: "folderProblem",
                "\(problems) of \(folders.count) \(folders.count == 1 ? "folder has" : "folders have") a problem")
        }
    }
}
