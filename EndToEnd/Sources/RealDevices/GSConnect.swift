// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// GSConnect's service on a device, without GNOME Shell. It stands for a phone, or for the program on a computer that is
/// connected to one.
package final class GSConnect {
    private static let name = "org.gnome.Shell.Extensions.GSConnect"
    private static let root = "/org/gnome/Shell/Extensions/GSConnect"
    private static let program =
        "/usr/share/gnome-shell/extensions/gsconnect@andyholmes.github.io/service/daemon.js"

    /// Why it cannot be used here; nil if it can.
    package static let missing: String? =
        FileManager.default.isReadableFile(atPath: program) ? nil : "there is no GSConnect; run: make setup-test"

    private let desktop: Desktop
    /// The folder in which received files are stored.
    package let downloads: URL

    /// Starts it. `environment`: with the device's default browser.
    package init(on device: Device, _ desktop: Desktop) throws {
        self.desktop = desktop
        downloads = device.root.appending(path: "home/Downloads")
        try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
        let settings = desktop.environment.merging(device.environment) { $1 }
        let changes = settings.map { "\($0)=\($1)" } + ["GSETTINGS_BACKEND=memory"]
        _ = try device.start(program: ["env"] + changes + ["gjs", Self.program], name: "GSConnect")
        try run(["gdbus", "wait", "--session", "--timeout", "20", Self.name])
    }

    /// Both confirm. `address`: of the other.
    package func pair(with other: GSConnect, at address: String) throws {
        let (here, there) = (try listen(), try other.listen())
        let isFound = { (listener: RunningProgram) in
            try listener.output.next("the other device", within: .seconds(5)) { $0.contains("member=InterfacesAdded") }
        }
        // It drops the request until it has noticed its network.
        for _ in 0..<4 {
            try call(Self.root, "org.gtk.Actions.Activate", "connect", "[<'lan://\(address):1716'>]", "{}")
            if (try? isFound(here)) != nil { break }
        }
        _ = try isFound(there)
        try call(try device(), "org.gtk.Actions.Activate", "pair", "[]", "{}")
        // A request of its own is a confirmation too, so the order does not matter.
        try other.call(try other.device(), "org.gtk.Actions.Activate", "pair", "[]", "{}")
    }

    /// The object of the only device.
    private func device() throws -> String {
        let objects = try call(Self.root, "org.freedesktop.DBus.ObjectManager.GetManagedObjects")
        let path = objects.split(separator: "'").first { $0.hasPrefix("\(Self.root)/Device/") }
        guard let path else { throw Unmet("GSConnect has no device: \(objects)") }
        return String(path)
    }

    private func listen() throws -> RunningProgram { try desktop.listen(to: "org.freedesktop.DBus.ObjectManager") }

    @discardableResult
    private func call(_ path: String, _ method: String, _ arguments: String...) throws -> String {
        try run(["gdbus", "call", "--session", "-d", Self.name, "-o", path, "-m", method] + arguments)
    }

    @discardableResult
    private func run(_ command: [String]) throws -> String {
        let ended = try RunningProgram.run(command, environment: desktop.environment, within: .seconds(30))
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")): \(ended.errors)") }
        return ended.output
    }
}
