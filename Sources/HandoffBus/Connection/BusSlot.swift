// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// A registration, which ends when it is released.
package final class BusSlot {
    typealias Handler = (_ message: OpaquePointer) -> CInt
    typealias Callback =
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<sd_bus_error>?
        ) -> CInt

    private var slot: OpaquePointer?
    private let handler: Handler
    /// Called at most once, if the bus refuses it later.
    private var refused: ((BusFailure) -> Void)?

    init(
        _ handler: @escaping Handler, refused: ((BusFailure) -> Void)? = nil,
        _ register: (inout OpaquePointer?, Callback, UnsafeMutableRawPointer) -> CInt
    ) throws(BusFailure) {
        self.handler = handler
        self.refused = refused
        let callback: Callback = { message, data, _ in
            guard let message, let data else { return 0 }
            let slot = Unmanaged<BusSlot>.fromOpaque(data).takeUnretainedValue()
            // Retained during the call, because the handler may release it.
            return withExtendedLifetime(slot) { slot.handler(message) }
        }
        try BusFailure.check(
            register(&slot, callback, Unmanaged.passUnretained(self).toOpaque()), "cannot register with the bus")
    }

    deinit { sd_bus_slot_unref(slot) }

    /// Ignores a timeout, because the bus has the match.
    static let installed: Callback = { message, data, _ in
        guard let message, let data, case .failure(let failure) = BusSlot.answer(message),
            failure.name != BusFailure.noReply
        else { return 1 }
        let slot = Unmanaged<BusSlot>.fromOpaque(data).takeUnretainedValue()
        withExtendedLifetime(slot) {
            let refused = slot.refused
            slot.refused = nil
            refused?(failure)
        }
        return 1
    }

    // MARK: One-time callbacks

    private final class Once {
        let completion: (Result<BusMessage, BusFailure>) -> Void
        init(_ completion: @escaping (Result<BusMessage, BusFailure>) -> Void) { self.completion = completion }
    }

    /// The bus retains it until the answer or the connection's end.
    static func once(
        _ completion: @escaping (Result<BusMessage, BusFailure>) -> Void,
        _ register: (Callback, UnsafeMutableRawPointer) throws(BusFailure) -> OpaquePointer?
    ) throws(BusFailure) {
        let once = Unmanaged.passRetained(Once(completion))
        let callback: Callback = { message, data, _ in
            guard let message, let data else { return 0 }
            let once = Unmanaged<Once>.fromOpaque(data).takeUnretainedValue()
            withExtendedLifetime(once) { once.completion(BusSlot.answer(message)) }
            return 1
        }
        do throws(BusFailure) {
            let slot = try register(callback, once.toOpaque())
            sd_bus_slot_set_destroy_callback(slot) { data in
                if let data { Unmanaged<Once>.fromOpaque(data).release() }
            }
            sd_bus_slot_set_floating(slot, 1)
            sd_bus_slot_unref(slot)
        } catch {
            once.release()
            throw error
        }
    }

    private static func answer(_ message: OpaquePointer) -> Result<BusMessage, BusFailure> {
        if sd_bus_message_is_method_error(message, nil) > 0, let error = sd_bus_message_get_error(message) {
            let text = { (pointer: UnsafePointer<CChar>?) in pointer.map { String(cString: $0) } ?? "" }
            return .failure(BusFailure(text(error.pointee.name), text(error.pointee.message)))
        }
        return Result { () throws(BusFailure) in try MessageReader.read(message) }
    }
}
