// SPDX-License-Identifier: Apache-2.0

package final class BusConnector {
    /// The delay doubles with each attempt.
    static let waits = (first: Duration.seconds(1), last: Duration.seconds(60))

    /// Called on the loop after each connection: set up objects, matches and names again.
    package var connected: (BusConnection) -> Void = { _ in }
    /// Called on the loop after an established connection has ended.
    package var disconnected: () -> Void = {}
    /// Called on the loop if a connection takes long.
    package var late: () -> Void = {}

    private let address: String
    private let loop: BusLoop
    private var connection: BusConnection?
    private var isConnected = false
    private var wait = waits.first
    private var retry: LoopWatch?
    private let patience: Duration
    private var lateness: LoopWatch?

    /// `patience`: until `late` is called.
    package init(to address: String, patience: Duration = .seconds(5), on loop: BusLoop) {
        self.patience = patience
        self.address = address
        self.loop = loop
    }

    package func start() {
        retry = nil
        lateness = loop.after(patience) { [weak self] in self?.late() }
        do throws(BusFailure) {
            connection = try BusConnection(
                to: address, on: loop,
                connected: { [weak self] connection in
                    guard let self else { return }
                    wait = Self.waits.first
                    lateness = nil
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
        lateness = nil
        if isConnected {
            isConnected = false
            disconnected()
        }
        // Not within a callback of the connection.
        retry = loop.after(.zero) { [weak self] in withExtendedLifetime(ended) { self?.again() } }
    }

    private func again() {
        retry = loop.after(wait) { [weak self] in self?.start() }
        wait = min(wait * 2, Self.waits.last)
    }
}

extension BusConnector {
    package static func sessionAddress(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        return environment["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" }
    }

    package static func systemAddress(_ environment: [String: String]) -> String {
        environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
    }
}
