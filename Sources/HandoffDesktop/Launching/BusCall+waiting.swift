// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus

extension BusCall {
    /// Runs the loop until the call is answered, for a program without other work. Throws an error that is the answer,
    /// and `late` if no answer arrives in time.
    func wait(on loop: BusLoop, bus address: String, within time: Duration, late: BusFailure) throws(BusFailure) {
        var answer: Result<BusMessage, BusFailure>?
        func ended(_ result: Result<BusMessage, BusFailure>) {
            answer = answer ?? result
            loop.exit(0)
        }
        let connector = BusConnector(to: address, on: loop)
        connector.connected = { bus in bus.call(self, within: time) { ended($0) } }
        connector.disconnected = { ended(.failure(BusFailure(BusFailure.failed, "the user's bus ended"))) }
        let alarm = loop.after(time) { ended(.failure(late)) }
        connector.start()
        _ = withExtendedLifetime((connector, alarm)) { loop.run() }
        _ = try (answer ?? .failure(late)).get()
    }
}
