// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct DocumentVersions: Verb {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "List the versions of documents that other devices' versions replaced.",
        discussion: "Versions are kept for a week, up to 1 GiB in total. Newest first.")

    @Argument(help: "Only this document, or the documents in this folder.", completion: .file())
    var path: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let path = try path.map { text throws(CommandFailure) in try AbsolutePath(document: text) }
        let versions = try common.connect().versions(of: path)
        output.show(
            Listing(
                versions.map(ShownVersion.init),
                ifEmpty: "nothing was replaced within the last week" + (path.map { " at \($0)" } ?? " on this device")))
    }
}

extension BlockingClient {
    /// Newest first. Nil: all documents.
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
