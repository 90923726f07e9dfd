// SPDX-License-Identifier: Apache-2.0

/// Keeps a connection to a bus: it is made anew when it ends, sooner or later.
package final class BusConnector {
    /// After an end, so long at first, and twice as long each time up to the last.
    static let waits = (first: Duration.seconds(1), last: Duration.seconds(60))

    /// On the loop, with each connection that is there. What is exported, matched and requested is to be so anew.
    package var connected: (BusConnection) -> Void = { _ in }
    /// On the loop, when one that was there has ended. Nothing of it counts any more.
    package var disconnected: () -> Void = {}

    private let address: String
    private let loop: BusLoop
    private var connection: BusConnection?
    private var isConnected = false
    private var wait = waits.first
    private var retry: LoopWatch?

    package init(to address: String, on loop: BusLoop) {
        self.address = address
        self.loop = loop
    }

    package func start() {
        retry = nil
        do throws(BusFailure) {
            connection = try BusConnection(
                to: address, on: loop,
                connected: { [weak self] connection in
                    guard let self else { return }
                    wait = Self.waits.first
                    isConnected = true
                    connected(connection)
                },
                ended: { [weak self] in self?.ended() })
        } catch {
            again()
        }
    }

    private func ended() {
        let ended = connection
        connection = nil
        if isConnected {
            isConnected = false
            disconnected()
        }
        // Not within a call of its own.
        retry = loop.after(.zero) { [weak self] in withExtendedLifetime(ended) { self?.again() } }
    }

    private func again() {
        retry = loop.after(wait) { [weak self] in self?.start() }
        wait = min(wait * 2, Self.waits.last)
    }
}

extension BusConnector {
    /// Where the user's bus is, by what a session says.
    package static func sessionAddress(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        return environment["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" }
    }

    package static func systemAddress(_ environment: [String: String]) -> String {
        environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
    }
}
