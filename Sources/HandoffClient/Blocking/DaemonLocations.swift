// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension ThisProcess {
    /// A daemon that hangs holds up the start of a program for so long.
    private static let patience = Duration.seconds(3)

    /// For a part of the desktop at its start: the files that the daemon names, whose environment may differ from this
    /// program's. Without a daemon, those that this program's environment leads to.
    package static func daemonLocations(root: String? = nil, as name: String) -> Locations {
        let own = locations(root: root)
        let hello = LocalHello(role: .control, name: DisplayText(cleaning: name))
        let places = try? BlockingClient.connect(to: own, hello: hello, timeout: patience).welcome.places
        return places.map(own.at) ?? own
    }
}
