// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffHost
internal import HandoffWire

struct AppInstall: Verb {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install an app bundle, or a newer version of it.")

    @Argument(help: ArgumentHelp("The bundle: Name.app.", valueName: "bundle"), completion: .directory)
    var bundle: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let installed = try BundleInstaller(directory: common.locations.apps).install(bundle)
        try common.tellDaemonOfApps()
        output.show(
            ShownInstall(
                app: ShownApp(installed.app, trusted: true, running: nil), replacedVersion: installed.replacedVersion))
        guard installed.app.isInDevelopment else { return }
        output.note("The bundle is unsigned: it belongs to the personal team of your account.")
    }
}

private struct ShownInstall: Renderable {
    let app: ShownApp
    let replacedVersion: String?

    func text(_ terminal: Terminal) -> String {
        let replaced = replacedVersion.map { $0 == app.version ? ", again" : ", in place of \($0)" } ?? ""
        return "installed \(app.name) \(app.version) (\(app.bundle))\(replaced)"
    }
}

extension CommonOptions {
    /// Whoever starts later reads the apps folder anyway.
    func tellDaemonOfApps() throws(CommandFailure) {
        guard let client = try connectIfRunning() else { return }
        do throws(Failure) {
            _ = try client.call(.reloadApps)
        } catch {
            throw CommandFailure(error)
        }
    }
}
