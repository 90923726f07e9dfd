// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffDaemon
import HandoffTesting
import HandoffWire

/// Everything in memory. Time passes while a program waits for a frame.
final class TwinStage: Stage {
    private let time = VirtualTime()
    private var listeners: [Place: MemoryClientListener] = [:]
    private var daemons: [DaemonFeatures] = []
    private var app: InstalledApp?

    init() throws {
        let hub = MemoryNetwork(time: time, seed: 1)
        for place in Place.allCases {
            let furniture = try Furniture(place, hub: hub)
            let listener = MemoryClientListener(time: time)
            let launcher = MemoryAppLauncher(time: time, listener: listener)
            let daemon = try furniture.daemon(network: nil, listener: listener, launcher: launcher, time: time)
            try daemon.start()
            daemons.append(daemon)
            listeners[place] = listener
            app = furniture.app
        }
    }

    func program(_ hello: LocalHello, on place: Place) async throws -> Program {
        guard let client = listeners[place]?.connect(executable: hello.bundle == nil ? nil : app?.executable) else {
            throw Unexpected("no daemon on the \(place)")
        }
        let carrier = Line(client, time: time)
        client.hello(hello)
        guard case .welcome = try carrier.next().message else { throw Unexpected("no welcome") }
        return Program(carrier)
    }

    func close() { for daemon in daemons { daemon.stop() } }

    private final class Line: Carrier {
        private let client: TestClient
        private let time: VirtualTime
        private var taken = 0

        init(_ client: TestClient, time: VirtualTime) {
            self.client = client
            self.time = time
        }

        func send(_ frame: LocalFrame) { client.send(frame) }

        func next() throws -> LocalFrame {
            guard time.run(until: { client.received.count > taken }, within: .seconds(30)) else {
                throw Unexpected("nothing came within 30 seconds")
            }
            defer { taken += 1 }
            return client.received[taken]
        }
    }
}
