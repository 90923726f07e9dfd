// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffSystem
import HandoffWire

/// A file in the user's home folder, examined on a thread, because its mount may hang.
struct HomeFile: Hashable, Sendable {
    let home: AbsolutePath?
    private let environment: [String: String]

    init(environment: [String: String]) {
        home = environment["HOME"].flatMap { try? AbsolutePath($0) }
        self.environment = environment
    }

    /// Nil: not below the home folder, of another kind, or not readable. `namesRepository`: also the place in its checkout.
    func source(of opened: OpenSource, namesRepository: Bool = false) -> ProgramState.Source? {
        switch opened {
        case .page, .message: return opened.unexamined
        case .file(let file):
            guard let path = path(of: file), let content = FileContent(of: file) else { return nil }
            return .homeFile(path, content, namesRepository ? place(of: path, isFolder: false) : nil)
        case .folder(let folder):
            guard let path = path(of: folder), Self.isFolder(folder) else { return nil }
            return .homeFolder(path, namesRepository ? place(of: path, isFolder: true) : nil)
        }
    }

    private func place(of path: DocumentPath, isFolder: Bool) -> CheckoutPlace? {
        home.flatMap { CheckoutPlace(of: path, isFolder: isFolder, in: $0, environment: environment) }
    }

    /// Follows links only if the path does not begin with the home folder: some systems have `/home` as a link, and
    /// programs name files with or without it.
    private func path(of file: AbsolutePath) -> DocumentPath? {
        guard let home else { return nil }
        if let path = file.path(in: home) { return path }
        guard let real = home.followingLinks, let file = file.inRealFolder else { return nil }
        return file.path(in: real) ?? Self.path(of: file, byLinkIn: home, real)
    }

    /// Entries of the home folder that are examined.
    private static let maximumEntries = 4096

    /// A link in the home folder maps a folder elsewhere, as on another disk.
    private static func path(of file: AbsolutePath, byLinkIn home: AbsolutePath, _ real: AbsolutePath) -> DocumentPath?
    {
        let names = (try? OpenFile.open("\(real)", O_RDONLY | O_DIRECTORY).names(atMost: maximumEntries)) ?? []
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let entry = try? DocumentPath(bytes: name), let link = try? home.appending(entry), isLink(link),
                let folder = link.followingLinks, real != folder, real.path(in: folder) == nil,
                let rest = file.path(in: folder)
            else { continue }
            return try? DocumentPath(bytes: name + [UInt8(ascii: "/")] + rest.bytes)
        }
        return nil
    }

    private static func isLink(_ path: AbsolutePath) -> Bool {
        var status = stat()
        return lstat(path.bytes.cString, &status) == 0 && status.kind == S_IFLNK
    }

    struct Found: Sendable {
        let path: String
        /// Not where the other device has it.
        let isElsewhere: Bool
    }

    /// Throws a sentence if this device has no such file. `place`: it may be there in another checkout. `anywhere`: it may
    /// have another path below the home folder.
    func file(
        _ path: DocumentPath, _ wanted: FileContent, at place: CheckoutPlace? = nil, anywhere: Bool
    ) throws(BusFailure) -> Found {
        guard let home, let file = try? home.appending(path) else {
            throw BusFailure(BusFailure.failed, "the home folder is unknown")
        }
        let name = Self.shown(path)
        let content = FileContent(of: file)
        if let content, content.isSame(as: wanted) {
            return Found(path: try Self.text(of: file, name), isElsewhere: false)
        }
        let search = HomeSearch(in: home)
        if let other = place.flatMap({ place in
            search.path(at: place, environment) { FileContent(of: $0)?.isSame(as: wanted) ?? false }
        }) {
            return Found(path: try Self.text(of: other, name), isElsewhere: true)
        }
        if anywhere, let other = search.file(with: wanted) {
            return Found(path: try Self.text(of: other, name), isElsewhere: true)
        }
        guard let content else {
            throw BusFailure(HomeFile.missing, "this device has no file \(name) in the home folder")
        }
        throw BusFailure(
            HomeFile.missing,
            content.bytes == wanted.bytes
                ? "\(name) in the home folder differs from the file on the other device"
                : "\(name) in the home folder has \(content.bytes) bytes here, but \(wanted.bytes) on the other device")
    }

    /// Throws a sentence if this device has no such folder.
    func folder(_ path: DocumentPath, at place: CheckoutPlace? = nil) throws(BusFailure) -> Found {
        guard let home, let folder = try? home.appending(path) else {
            throw BusFailure(BusFailure.failed, "the home folder is unknown")
        }
        let name = Self.shown(path)
        if Self.isFolder(folder) { return Found(path: try Self.text(of: folder, name), isElsewhere: false) }
        let other = place.flatMap { HomeSearch(in: home).path(at: $0, environment, where: Self.isFolder) }
        guard let other else {
            throw BusFailure(HomeFile.missing, "this device has no folder \(name) in the home folder")
        }
        return Found(path: try Self.text(of: other, name), isElsewhere: true)
    }

    /// For files of other devices. Nil: the home folder is unknown.
    var copies: String? {
        guard let home = home.flatMap({ String(validating: $0.bytes, as: UTF8.self) }) else { return nil }
        let downloads = home + "/Downloads"
        return access(downloads, W_OK | X_OK) == 0 ? downloads : home
    }

    /// For people, on one line.
    static func shown(_ path: DocumentPath) -> String { DisplayText(cleaning: "\(path)", limit: 100).text }

    private static func text(of path: AbsolutePath, _ name: String) throws(BusFailure) -> String {
        guard let text = String(validating: path.bytes, as: UTF8.self) else {
            throw BusFailure(
                BusFailure.failed, "the path of \(name) is not UTF-8, so no program can be started with it")
        }
        return text
    }

    static let missing = "org.handoff.Error.FilesOnlyThere"

    private static func isFolder(_ folder: AbsolutePath) -> Bool {
        var status = stat()
        let path = folder.bytes.cString
        return stat(path, &status) == 0 && status.kind == S_IFDIR && access(path, R_OK | X_OK) == 0
    }
}

extension AbsolutePath {
    fileprivate var followingLinks: AbsolutePath? {
        bytes.followingLinks.flatMap { try? AbsolutePath(bytes: $0) }
    }

    /// The last part may still be a link.
    fileprivate var inRealFolder: AbsolutePath? {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")),
            let folder = try? AbsolutePath(bytes: bytes[...slash]).followingLinks,
            let name = try? DocumentPath(bytes: bytes[(slash + 1)...])
        else { return nil }
        return try? folder.appending(name)
    }
}

/// Runs what may block on a thread, and the rest on the loop.
final class OffLoop {
    /// Threads that wait for a mount at the same time.
    static let maximum = 4

    private let loop: BusLoop
    private var threads = 0

    init(_ loop: BusLoop) { self.loop = loop }

    /// Calls `then` with nil if too many threads wait.
    func run<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer?, then: @escaping (Answer?) -> Void) {
        guard threads < Self.maximum else { return then(nil) }
        threads += 1
        let ended = { [weak self] (answer: Answer?) in
            self?.threads -= 1
            then(answer)
        }
        if !loop.runOnThread(work, then: ended) { ended(nil) }
    }
}
