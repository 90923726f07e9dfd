// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// Sent once; if released unsent, reports a failure.
///
/// Retains an empty call with the original's sender and number, because files of retained originals could use up this
/// process's descriptors.
package final class BusReply {
    private var call: OpaquePointer?

    /// Empty if the caller expects no answer.
    init(to original: OpaquePointer, from sender: String, on bus: OpaquePointer) {
        var cookie: UInt64 = 0
        var made: OpaquePointer?
        guard sd_bus_message_get_expect_reply(original) > 0, sd_bus_message_get_cookie(original, &cookie) >= 0,
            sd_bus_message_new_method_call(bus, &made, nil, "/", nil, "Call") >= 0, let made
        else { return }
        guard sd_bus_message_set_sender(made, sender) >= 0, sd_bus_message_seal(made, cookie, 0) >= 0 else {
            sd_bus_message_unref(made)
            return
        }
        call = made
    }

    deinit { fail(BusFailure(BusFailure.failed, "no answer arrived")) }

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

    func drop() {
        sd_bus_message_unref(call)
        call = nil
    }

    private func send(_ message: OpaquePointer) {
        sd_bus_send(nil, message, nil)
        drop()
    }
}
