// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffCore
internal import HandoffHost
internal import HandoffWire

struct AppRemove: Verb {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove an installed app.")

    @Argument(help: ArgumentHelp("The bundle identifier, as handoff app list shows it.", valueName: "id"))
    var bundle: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let app = try BundleInstaller(directory: common.locations.apps).remove(try BundleID(argument: bundle))
        try common.tellDaemonOfApps()
        output.show(ShownRemoval(removed: ShownApp(app, trusted: true, running: nil)))
    }
}

private struct ShownRemoval: Renderable {
    let removed: ShownApp

    func text(_ terminal: Terminal) -> String { "removed \(removed.name) \(removed.version) (\(removed.bundle))" }
}

extension BundleID {
    init(argument: String) throws(CommandFailure) {
        do throws(WireError) {
            try self.init(argument)
        } catch {
            throw .usage(error.reason)
        }
    }
}
