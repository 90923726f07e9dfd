// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HandoffClient
import HandoffCore
import HandoffWire

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

struct FolderChoice {
    private let text: String

    init(_ text: String) { self.text = text }

    func choose(from folders: [ContainerFolder]) throws(CommandFailure) -> ContainerFolder {
        do throws(WireError) { _ = try ContainerID(text) } catch {
            throw .usage("\"\(DisplayText(cleaning: text, limit: Limits.nameCharacters))\": \(error.reason)")
        }
        if let folder = folders.first(where: { $0.container.name == text }) { return folder }
        let near = NearestName.to(text, in: folders.map(\.container.name))
        throw CommandFailure(
            .failed, code: "noApp",
            "no installed app uses a container \(text)" + (near.map { "; did you mean \($0)?" } ?? ""),
            advice: "run: handoff folder list")
    }
}

struct ShownFolder: Listed {
    static let columns: [Table.Column] = [
        "CONTAINER", .elastic("NAME"), .elastic("TEAM"), "APPS", "FOLDER", "MAPPED", "PROBLEM",
    ]

    let container: String
    let name: String?
    let team: String
    let apps: [String]
    let path: String
    let mapped: Bool
    let problem: String?

    init(_ folder: ContainerFolder) {
        container = folder.container.name
        name = folder.name?.text
        team = folder.teamName.text
        apps = folder.apps.map(\.name)
        path = folder.path.text
        mapped = folder.isMapped
        problem = folder.problem
    }

    var cells: [String] {
        [container, name ?? "-", team, apps.joined(separator: ", "), path, mapped ? "yes" : "no", problem ?? "-"]
    }
}

struct CheckedFolder: Listed {
    static let columns: [Table.Column] = ["CONTAINER", "FOLDER", "FILE SYSTEM", "STATE"]

    let container: String
    let path: String
    let mapped: Bool
    let fileSystem: String?
    let sharedStorage: Bool
    let problem: String?

    init(_ folder: ContainerFolder) {
        container = folder.container.name
        path = folder.path.text
        mapped = folder.isMapped
        fileSystem = folder.fileSystem
        sharedStorage = folder.isSharedStorage
        problem = folder.problem
    }

    var cells: [String] { [container, path, fileSystem ?? "-", state] }

    var state: String {
        if let problem { return problem }
        if sharedStorage { return "shared with other machines: a document that differs arrives as a copy" }
        return fileSystem == nil ? "created when an app first uses it" : "good"
    }
}

extension Listing {
    init(folders: [Row]) {
        self.init(folders, ifEmpty: "no containers: no installed app of a trusted team names one")
    }
}

struct ShownMapping: Renderable {
    let folder: CheckedFolder
    let verb: String
    let former: String?
    /// No installed app of its team is left.
    let isNobodys: Bool

    private enum CodingKeys: CodingKey { case mapped, unmapped, former }

    init(_ folder: ContainerFolder, former: AbsolutePath?) {
        self.folder = CheckedFolder(folder)
        verb = folder.isMapped ? "mapped" : "unmapped"
        self.former = former == folder.path ? nil : former?.text
        isNobodys = !folder.isMapped && folder.apps.isEmpty
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(folder, forKey: verb == "mapped" ? .mapped : .unmapped)
        try object.encodeIfPresent(former, forKey: .former)
    }

    func text(_ terminal: Terminal) -> String {
        guard !isNobodys else {
            return
                "the container \(folder.container) has no owner now; the documents in \(former ?? folder.path) stay there"
        }
        var lines = ["documents of \(folder.container) are now stored in \(folder.path)"]
        if let former { lines.append("the documents in \(former) stay there; move them yourself") }
        if folder.problem != nil || folder.sharedStorage { lines.append(folder.state) }
        return lines.joined(separator: "\n")
    }
}
