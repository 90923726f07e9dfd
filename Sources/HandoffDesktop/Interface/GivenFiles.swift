// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffBus
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// Open descriptors from an answer to `Save`. This process opens no path that a program names, so another device gets
/// only files that the program can read.
struct GivenFiles: Sendable {
    /// For one file; then the state is sent without it. Enough for a daemon that reads other programs' files too.
    static let patience = Duration.milliseconds(200)
    /// For all files; then the state is sent without the others.
    static let allPatience = Duration.seconds(2)

    private let files: [(url: ExactText, path: AbsolutePath, file: SharedDescriptor)]

    var isEmpty: Bool { files.isEmpty }

    /// `value`: `a{sh}`, descriptors by the URLs in `user-info`. Throws `.malformed`.
    init(_ value: BusValue?) throws(Failure) {
        guard let value else {
            files = []
            return
        }
        guard case .array(.entry(.string, .descriptor), let elements) = value, elements.count <= Limits.documents else {
            throw Failure(.malformed, "files is of type a{sh}, with at most \(Limits.documents) files")
        }
        var files: [(url: ExactText, path: AbsolutePath, file: SharedDescriptor)] = []
        for case .entry(.string(let url), .descriptor(let file)) in elements {
            guard let path = try? FileURL(url).path else {
                throw Failure(.malformed, "the keys of files are file URLs, as in user-info")
            }
            files.append((ExactText(url), path, file))
        }
        self.files = files
    }

    /// Blocks up to `allPatience`, and `patience`.
    func pass(on line: any DaemonLine) -> [SavedFile] {
        let end = ContinuousClock.now + Self.allPatience
        return files.compactMap { url, path, file in
            guard .now < end, let descriptor = file.duplicate() else { return nil }
            let open = OpenFile(descriptor: descriptor, path: "a program's file")
            guard open.isFileOrFolderToRead else { return nil }
            var generator = SystemRandomNumberGenerator()
            let token = FileToken.random(using: &generator)
            guard line.give(open, as: token, within: Self.patience) else { return nil }
            return SavedFile(url: url, path: path, token: token)
        }
    }
}
