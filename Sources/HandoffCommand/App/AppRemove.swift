// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffHost
internal import HandoffWire

struct AppRemove: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an installed app and withdraw its activities.")

    @Argument(
        help: ArgumentHelp("The bundle identifier, as handoff app list shows it.", valueName: "id"),
        completion: Completion.apps)
    var bundle: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let bundle = try BundleID(argument: bundle)
        let files = common.files
        let app = try BundleInstaller(files).remove(bundle)
        try common.tellDaemonOfApps()
        output.show(
            ShownRemoval(removed: .init(bundle: bundle.name, name: app.name.text, version: app.version)))
        files.noteChange(of: files.locations.apps, output)
    }
}

private struct ShownRemoval: Renderable {
    struct App: Encodable {
        let bundle: String
        let name: String
        let version: String
    }

    let removed: App

    func text(_ terminal: Terminal) -> String { "removed \([removed.name, removed.version].words) (\(removed.bundle))" }
}

extension BundleID {
    init(argument: String) throws(CommandFailure) {
        do throws(WireError) {
            try self.init(appOrProgram: argument)
        } catch {
            throw .usage(error.reason)
        }
    }
}
