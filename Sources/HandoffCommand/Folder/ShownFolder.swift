// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

struct ShownFolder: Listed {
    static let columns: [Table.Column] = [
        "CONTAINER", .elastic("NAME"), .elastic("TEAM"), "APPS", "FOLDER", "MAPPED", "PROBLEM",
    ]

    let container: String
    /// From the app.
    let name: String?
    let team: String
    let apps: [String]
    let path: String
    /// By the user; otherwise it is the default folder.
    let mapped: Bool
    /// Why the container cannot receive documents, or an app cannot use it.
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
    /// Absent if the folder does not exist, or could not be examined.
    let fileSystem: String?
    /// Other machines can access it too.
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
    /// `mapped` or `unmapped`.
    let verb: String
    /// The previous path; nil if it is unchanged.
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
