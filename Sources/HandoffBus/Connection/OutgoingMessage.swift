// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

final class OutgoingMessage {
    let pointer: OpaquePointer

    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    init(_ call: BusCall, on bus: OpaquePointer) throws(BusFailure) {
        var made: OpaquePointer?
        try BusFailure.check(
            sd_bus_message_new_method_call(bus, &made, call.destination, call.path, call.interface, call.member),
            "cannot call \(call.member) of \(call.destination)")
        guard let made else { throw BusFailure(BusFailure.failed, "cannot call \(call.member)") }
        pointer = made
        if !call.mayStart { sd_bus_message_set_auto_start(made, 0) }
        try MessageWriter(message: made).append(call.body)
    }

    deinit { sd_bus_message_unref(pointer) }
}
