// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffWire

struct DocumentRestore: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a version of a document that another device's version replaced.",
        discussion: """
            The current version is kept too, so that you can undo this. An app that has the document open is asked to save it \
            first.
            """)

    @Argument(
        help: ArgumentHelp(
            "The beginning of a version's ID, as handoff document versions shows it; or a document, to restore its newest "
                + "version.", valueName: "version-or-path"),
        completion: .file())
    var version: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let client = try common.connect()
        let chosen = try VersionChoice(version).choose(from: client.versions())
        let answer = try client.ask(.documents(.restoreVersion(chosen.id)), \.versions)
        guard let restored = answer.first else { throw Failure.unexpectedAnswer }
        output.show(ShownRestoring(restored, in: answer.dropFirst().first))
    }
}

struct ShownRestoring: Renderable {
    let restored: ShownVersion
    let kept: ShownVersion?

    init(_ restored: KeptVersion, in kept: KeptVersion?) {
        self.restored = ShownVersion(restored)
        self.kept = kept.map(ShownVersion.init)
    }

    func text(_ terminal: Terminal) -> String {
        let line = "restored \(restored.path), as it was before \(restored.replacedLocal)"
        guard let kept else { return line }
        return line + "\nthe version that was there is kept; to restore it: handoff document restore \(kept.short)"
    }
}
