// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import HandoffWire

/// Looks for what the user has under another path, for at most `patience` from its beginning. Blocks.
struct HomeSearch {
    /// Files and folders that are looked at, the nearest to the home folder first.
    static let maximumEntries = 50_000
    /// The user waits. A disk may be slow.
    static let patience = Duration.seconds(2)

    /// Bytes of the smallest file that is looked for: many small files are equal by chance.
    static let minimumBytes: Int64 = 1024

    /// Checkouts of repositories of which Git is asked.
    static let maximumCheckouts = 16

    private let home: AbsolutePath
    private let maximumEntries: Int
    private let end = ContinuousClock.now + Self.patience

    init(in home: AbsolutePath, maximumEntries: Int = Self.maximumEntries) {
        self.home = home
        self.maximumEntries = maximumEntries
    }

    private struct Folder {
        let path: AbsolutePath
        let names: [[UInt8]]
        let files: [(path: AbsolutePath, bytes: Int64)]
    }

    func file(with content: FileContent) -> AbsolutePath? {
        guard content.digest != nil, content.bytes >= Self.minimumBytes else { return nil }
        return walk { folder in
            // Many files may have this size.
            folder.files.first { $0.bytes == content.bytes && .now < end && FileContent(of: $0.path) == content }?.path
        }
    }

    /// The same file or folder in the first checkout of the same repository in which `isMeant` accepts it.
    func path(
        at place: CheckoutPlace, _ environment: [String: String], where isMeant: (AbsolutePath) -> Bool
    ) -> AbsolutePath? {
        var asked = 0
        return walk { folder in
            guard folder.names.contains(CheckoutPlace.marker), asked < Self.maximumCheckouts,
                let path = place.path.map({ try? folder.path.appending($0) }) ?? folder.path, isMeant(path)
            else { return nil }
            asked += 1
            return CheckoutPlace.remote(of: folder.path, environment) == place.remote ? path : nil
        }
    }

    /// Skips hidden files and folders, links and other file systems.
    private func walk(_ look: (Folder) -> AbsolutePath?) -> AbsolutePath? {
        var status = stat()
        guard stat(home.bytes.cString, &status) == 0 else { return nil }
        let device = status.st_dev
        var folders = [home]
        var (next, entries) = (0, 0)
        while next < folders.count, entries < maximumEntries, .now < end {
            let folder = folders[next]
            next += 1
            guard let opened = try? OpenFile.open(following: folder.bytes, O_RDONLY | O_DIRECTORY),
                let names = try? opened.names(atMost: maximumEntries - entries)
            else { continue }
            entries += names.count
            var files: [(path: AbsolutePath, bytes: Int64)] = []
            for name in names where name.first != UInt8(ascii: ".") {
                guard let status = try? opened.status(of: name), status.st_dev == device,
                    let part = try? DocumentPath(bytes: name),
                    let path = try? folder.appending(part)
                else { continue }
                if status.kind == S_IFDIR { folders.append(path) }
                if status.kind == S_IFREG { files.append((path, Int64(status.st_size))) }
            }
            if let found = look(Folder(path: folder, names: names, files: files)) { return found }
        }
        return nil
    }
}
