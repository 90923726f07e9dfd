// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// For any thread. Folders are in the order of the XDG Base Directory Specification; the first entry with an identifier
/// takes effect.
package struct EntryFolders: Sendable {
    /// Files and folders, over all folders.
    static let items = 8192
    /// Over all files read.
    static let bytes = 32 * 1024 * 1024
    static let depth = 8

    private let mounts: FileQuestions
    private let session: PresentSession
    private let adapters: String?

    /// `environment` is this process's; the current session is added. `adapters`: the path of `handoff-adapters`; nil:
    /// no system programs. `patience`: for each folder's mount.
    package init(
        environment: [String: String], adapters: String? = nil, patience: Duration = FileQuestions.patience
    ) {
        mounts = FileQuestions(patience: patience)
        session = PresentSession(environment: environment)
        self.adapters = adapters
    }

    /// Changes how some bundles are started, and adds apps without a bundle. `known`: used for a folder that does not respond.
    func add(to content: inout BundleFolder.Content, known: [InstalledApp], progress: FileProgress) {
        var environment = session.read().variables
        let asked = UserDataFolders(environment)
        let silent = asked.data.filter { !responds($0, progress) }
        if !silent.isEmpty {
            content.add(
                problems: silent.map { "the folder \($0) does not respond, so its last known apps are used" })
            let rest = asked.system.filter { !silent.contains($0) }
            // An empty list would mean the usual folders; a relative path is ignored.
            environment["XDG_DATA_DIRS"] = (rest + ["."]).joined(separator: ":")
            if let own = asked.own, silent.contains(own) { environment["XDG_DATA_HOME"] = "/nonexistent" }
        }
        var reading = Reading(locales: DesktopEntry.locales(of: environment))
        let folders = UserDataFolders(environment)
        for folder in folders.data { reading.read(folder + "/applications") }
        let reader = EntryReader(files: reading.files, environment: environment)
        content.add(problems: reading.problems)
        let bundles = Dictionary(
            content.apps.enumerated().map { (ExactText($1.bundle.name), $0) }, uniquingKeysWith: { first, _ in first })
        let programs = adapters.map { adapters in
            let found = ProgramDescriptions.read(environment: environment)
            content.add(problems: found.problems)
            return SystemPrograms(
                adapters: adapters, own: folders.own, descriptions: found.descriptions,
                defaults: SystemPrograms.defaults(
                    among: Set(reading.files.lazy.filter { !$0.isHidden }.map(\.id)), in: environment))
        }
        for file in reading.files where !file.isHidden {
            if let program = programs?.app(in: file, name: reader.displayName) {
                content.apps.append(program)
            }
            do throws(EntryProblem) {
                if let index = bundles[file.id] {
                    content.apps[index].entry = try reader.entry(in: file, starting: content.apps[index])
                    content.add(problems: reader.remarks(on: file, ofTeam: content.apps[index].developer))
                } else if file.entry.has(.activityTypes) {
                    content.apps.append(try reader.app(in: file))
                    content.add(problems: reader.remarks(on: file, ofTeam: nil))
                }
            } catch {
                content.add(problems: ["\(file.path) \(error.reason)"])
            }
        }
        let found = Set(content.apps.map { ExactText($0.bundle.name) })
        content.apps += known.filter { app in
            silent.contains { app.path.hasPrefix($0 + "/applications/") } && !found.contains(ExactText(app.bundle.name))
        }
    }

    private func responds(_ folder: String, _ progress: FileProgress) -> Bool {
        defer { progress.made() }
        return mounts.answer(about: folder) { _ in (folder + "/applications/.").isThere } != nil
    }

    func isAsRead(_ entry: AppEntry, of signer: AppSigner) -> Bool {
        guard signer != .system || entry.path.isChangedByRootAlone, let bytes = try? Self.content(of: entry.path) else {
            return false
        }
        return FileDigest(of: bytes).bytes == entry.hash
    }

    /// Nil: not a plain file.
    static func content(of path: String) throws(SystemError) -> [UInt8]? {
        let file = try OpenFile.openFollowingLinks(path)
        guard try file.status().kind == S_IFREG else { return nil }
        return try file.readAll(limit: DesktopEntry.fileBytes)
    }
}

extension OpenFile {
    /// Most entries of other package formats are links.
    static func openFollowingLinks(_ path: String) throws(SystemError) -> OpenFile {
        let flags = O_RDONLY | O_NONBLOCK
        do throws(SystemError) { return try open(path, flags) } catch let error where error.code == ELOOP {
            return try open(path.followingLinks ?? path, flags)
        }
    }
}

private struct Reading {
    private(set) var files: [EntryFile] = []
    private(set) var problems: [String] = []
    private let locales: [String]
    /// Even unreadable entries hide others.
    private var seen: Set<ExactText> = []
    private var itemsLeft = EntryFolders.items
    private var bytesLeft = EntryFolders.bytes

    init(locales: [String]) { self.locales = locales }

    mutating func read(_ folder: String) {
        var here: [ExactText: String] = [:]
        read(folder, prefix: "", depth: 1, here: &here)
        seen.formUnion(here.keys)
    }

    /// `here`: identifiers in this `applications` so far.
    private mutating func read(_ folder: String, prefix: String, depth: Int, here: inout [ExactText: String]) {
        // The folder may be a link.
        guard itemsLeft > 0, let open = try? OpenFile.open(folder + "/.", O_RDONLY | O_DIRECTORY),
            let names = try? open.entries(atMost: itemsLeft + 1)
        else { return }
        if names.count > itemsLeft {
            problems.append(
                "the folders of desktop entries hold more than \(EntryFolders.items) files; the rest of \(folder) is ignored"
            )
        }
        let counting = names.prefix(itemsLeft)
        itemsLeft -= counting.count
        for name in counting where !name.hasPrefix(".") {
            let path = folder + "/" + name
            if name.hasSuffix(".desktop") {
                let id = ExactText(prefix + name.dropLast(".desktop".count))
                if let other = here[id] {
                    if isOurs(path) || isOurs(other) {
                        problems.append("\(path) has the same desktop file ID as \(other), which is used")
                    }
                } else {
                    here[id] = path
                    if !seen.contains(id) { add(path, id) }
                }
            } else if depth < EntryFolders.depth, isFolder(path) {
                read(path, prefix: prefix + name + "-", depth: depth + 1, here: &here)
            }
        }
    }

    private mutating func add(_ path: String, _ id: ExactText) {
        guard bytesLeft > 0 else { return }
        do throws(SystemError) {
            guard let bytes = try EntryFolders.content(of: path) else { return }
            bytesLeft -= bytes.count
            if bytesLeft <= 0 {
                problems.append(
                    "the desktop entries hold more than \(EntryFolders.bytes) bytes; the rest is ignored")
            }
            do throws(EntryProblem) {
                files.append(
                    EntryFile(
                        id: id, path: path, bytes: bytes, entry: try DesktopEntry(bytes, locales: locales)))
            } catch {
                // Faults in other programs' entries are not reported.
                if bytes.isOurs { problems.append("\(path) \(error.reason)") }
            }
        } catch let error where error.code == EFBIG {
            problems.append(
                "\(path) has more than \(DesktopEntry.fileBytes) bytes, the limit of a desktop entry")
        } catch {
            // A broken link, or another user's file.
        }
    }

    private func isOurs(_ path: String) -> Bool { (try? EntryFolders.content(of: path))??.isOurs ?? false }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.kind == S_IFDIR
    }
}

extension [UInt8] {
    /// Has one of our keys, or a similar one.
    fileprivate var isOurs: Bool { contains("X-Handoff-".utf8) }
}
