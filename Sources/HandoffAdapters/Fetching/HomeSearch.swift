// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import HandoffWire

/// Looks for a file that the user has under another path. Blocks.
struct HomeSearch {
    /// Files and folders that are looked at, the nearest to the home folder first.
    static let maximumEntries = 50_000
    /// The user waits. A disk may be slow.
    static let patience = Duration.seconds(2)

    /// Bytes of the smallest file that is looked for: many small files are equal by chance.
    static let minimumBytes: Int64 = 1024

    private let home: AbsolutePath
    private let maximumEntries: Int

    init(in home: AbsolutePath, maximumEntries: Int = Self.maximumEntries) {
        self.home = home
        self.maximumEntries = maximumEntries
    }

    /// The first file with this content. Hidden files, links and other file systems are left out.
    func file(with content: FileContent) -> AbsolutePath? {
        var status = stat()
        guard content.digest != nil, content.bytes >= Self.minimumBytes, stat(home.bytes.cString, &status) == 0 else {
            return nil
        }
        let (device, end) = (status.st_dev, ContinuousClock.now + Self.patience)
        var folders = [home]
        var (next, entries) = (0, 0)
        while next < folders.count, entries < maximumEntries, ContinuousClock.now < end {
            let folder = folders[next]
            next += 1
            guard let opened = try? OpenFile.open(following: folder.bytes, O_RDONLY | O_DIRECTORY),
                let names = try? opened.names(atMost: maximumEntries - entries)
            else { continue }
            entries += names.count
            for name in names where name.first != UInt8(ascii: ".") {
                guard let status = try? opened.status(of: name), status.st_dev == device,
                    let part = try? DocumentPath(bytes: name),
                    let path = try? folder.appending(part)
                else { continue }
                if status.kind == S_IFDIR {
                    folders.append(path)
                } else if status.kind == S_IFREG, Int64(status.st_size) == content.bytes,
                    // Many files may have this size.
                    ContinuousClock.now < end, FileContent(of: path) == content
                {
                    return path
                }
            }
        }
        return nil
    }
}
