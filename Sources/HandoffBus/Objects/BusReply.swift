// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// The answer that somebody on the bus waits for. It is given once; who lets go of it without one answers that it failed.
package final class BusReply {
    private var call: OpaquePointer?

    init(to call: OpaquePointer) { self.call = sd_bus_message_ref(call) }

    deinit { fail(BusFailure(BusFailure.failed, "there is no answer")) }

    package func answer(_ body: [BusValue] = []) {
        guard let call else { return }
        var made: OpaquePointer?
        guard sd_bus_message_new_method_return(call, &made) >= 0, let made else { return }
        let message = OutgoingMessage(taking: made)
        do throws(BusFailure) {
            try MessageWriter(message: made).append(body)
            withExtendedLifetime(message) { send(made) }
        } catch {
            fail(error)
        }
    }

    package func fail(_ failure: BusFailure) {
        guard let call else { return }
        var error = sd_bus_error()
        var made: OpaquePointer?
        sd_bus_error_set(&error, failure.name, failure.sentence)
        defer { sd_bus_error_free(&error) }
        guard sd_bus_message_new_method_error(call, &made, &error) >= 0, let made else { return }
        withExtendedLifetime(OutgoingMessage(taking: made)) { send(made) }
    }

    private func send(_ message: OpaquePointer) {
        // Of a caller that wants none, nothing is sent.
        sd_bus_send(nil, message, nil)
        sd_bus_message_unref(call)
        call = nil
    }
}
