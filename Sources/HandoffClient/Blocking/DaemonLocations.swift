// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension ThisProcess {
    /// For a daemon that hangs, which would delay the start of the program.
    private static let patience = Duration.seconds(3)

    /// The daemon's own locations, because its environment may differ from this program's. Without a daemon, the
    /// locations from this program's environment.
    package static func daemonLocations(root: String? = nil, as name: String) -> Locations {
        let own = locations(root: root)
        let hello = LocalHello(role: .control, name: DisplayText(cleaning: name))
        let places = try? BlockingClient.connect(to: own, hello: hello, timeout: patience).welcome.places
        return places.map(own.at) ?? own
    }
}
