// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct DocumentVersions: Verb {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "List what was replaced by documents that came from other devices.",
        discussion: "It is kept for a week, of all documents together as much as fits into 1 GiB. Newest first.")

    @Argument(help: "Only of this document, or of those in this folder.", completion: .file())
    var path: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let path = try path.map { text throws(CommandFailure) in try AbsolutePath(document: text) }
        let versions = try common.connect().versions(of: path)
        output.show(
            Listing(
                versions.map(ShownVersion.init),
                ifEmpty: "nothing was replaced here within a week" + (path.map { " of \($0)" } ?? "")))
    }
}

extension BlockingClient {
    /// Newest first. Nil: of all documents.
    func versions(of path: AbsolutePath? = nil) throws(Failure) -> [KeptVersion] {
        try ask(.documents(.listVersions(path)), \.versions)
    }
}

extension LocalMessage {
    var versions: [KeptVersion]? {
        guard case .documents(.versionList(let versions)) = self else { return nil }
        return versions
    }
}
