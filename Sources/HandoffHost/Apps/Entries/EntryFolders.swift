// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// The folders in which a desktop has its entries, read whole: those of the user, then those of the system, as the XDG base
/// directories have them. Of two entries of one identifier the first counts. On any thread.
package struct EntryFolders: Sendable {
    /// What is looked at in all folders together, files and folders, count.
    static let items = 8192
    /// Files read, all together, bytes.
    static let bytes = 32 * 1024 * 1024
    /// Folders within one another.
    static let depth = 8

    private let session: PresentSession

    /// `environment` is that of this process. With the present session it decides about the user's folders, the language of
    /// names and the search path of programs.
    package init(environment: [String: String]) { session = PresentSession(environment: environment) }

    /// Each has a folder `applications`.
    private static func folders(in environment: [String: String]) -> [String] {
        func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let own = absolute("XDG_DATA_HOME") ?? absolute("HOME").map { $0 + "/.local/share" }
        let said = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        let system = said.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        var folders: [String] = []
        for folder in (own.map { [$0] } ?? []) + system where !folders.contains(where: folder.isSamePath) {
            folders.append(folder)
        }
        return folders
    }

    /// Adds to the bundles what entries tell of: how some of them are started, and apps that have no bundle.
    func add(to content: inout BundleFolder.Content) {
        let environment = session.read().variables
        var reading = Reading(locales: DesktopEntry.locales(of: environment))
        for folder in Self.folders(in: environment) { reading.read(folder + "/applications") }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let reader = EntryReader(files: reading.files, programs: ProgramFinder(environment: environment), home: home)
        content.add(problems: reading.problems)
        let bundles = Dictionary(
            content.apps.enumerated().map { (ExactText($1.bundle.name), $0) }, uniquingKeysWith: { first, _ in first })
        for file in reading.files where !file.isHidden {
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
    }

    /// Whether the file is as it was read.
    func isAsRead(_ entry: AppEntry) -> Bool {
        guard let bytes = try? Self.content(of: entry.path) else { return false }
        return FileDigest(of: bytes).bytes == entry.hash
    }

    /// Entries are often links, out of the folders of other packagings. Nil: it is no plain file.
    static func content(of path: String) throws(SystemError) -> [UInt8]? {
        let file = try OpenFile.open(path.followingLinks ?? path, O_RDONLY | O_NONBLOCK)
        guard try file.status().kind == S_IFREG else { return nil }
        return try file.readAll(limit: DesktopEntry.fileBytes)
    }
}

/// What was found so far.
private struct Reading {
    private(set) var files: [EntryFile] = []
    private(set) var problems: [String] = []
    private let locales: [String]
    /// Of all folders, also of entries that cannot be read: they hide others all the same.
    private var seen: Set<ExactText> = []
    private var itemsLeft = EntryFolders.items
    private var bytesLeft = EntryFolders.bytes

    init(locales: [String]) { self.locales = locales }

    mutating func read(_ folder: String) {
        var here: [ExactText: String] = [:]
        read(folder, prefix: "", depth: 1, here: &here)
        seen.formUnion(here.keys)
    }

    /// `here`: the entries of the whole folder `applications` so far, by identifier.
    private mutating func read(_ folder: String, prefix: String, depth: Int, here: inout [ExactText: String]) {
        // The folder itself may be a link.
        guard itemsLeft > 0, let open = try? OpenFile.open(folder + "/.", O_RDONLY | O_DIRECTORY),
            let names = try? open.entries(atMost: itemsLeft + 1)
        else { return }
        if names.count > itemsLeft {
            problems.append(
                "there are more than \(EntryFolders.items) files among the desktop entries; the rest of \(folder) does not count"
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
                        problems.append("\(path) has the same desktop file ID as \(other), which counts")
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
                    "the desktop entries hold more than \(EntryFolders.bytes) bytes; the rest does not count")
            }
            do throws(EntryProblem) {
                files.append(
                    EntryFile(
                        id: id, path: path, bytes: bytes, entry: try DesktopEntry(bytes, locales: locales)))
            } catch {
                // What is wrong with those of other programs is not ours to say.
                if bytes.isOurs { problems.append("\(path) \(error.reason)") }
            }
        } catch let error where error.code == EFBIG {
            problems.append(
                "\(path) has more than \(DesktopEntry.fileBytes) bytes, which is too much for a desktop entry")
        } catch {
            // A link that leads nowhere, or a file of somebody else's.
        }
    }

    private func isOurs(_ path: String) -> Bool { (try? EntryFolders.content(of: path))??.isOurs ?? false }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.kind == S_IFDIR
    }
}

extension [UInt8] {
    /// It has a key of ours, or something that looks like one.
    fileprivate var isOurs: Bool { contains("X-Handoff-".utf8) }
}
