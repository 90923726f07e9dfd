// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK

/// What a signal brings, after the object that sends it. Valid while the signal is handled.
struct SignalValues {
    private let values: UnsafePointer<GValue>
    private let count: Int

    init(_ values: UnsafePointer<GValue>, count: Int) {
        self.values = values
        self.count = count
    }

    func number(_ index: Int) -> UInt32 { UInt32(bitPattern: g_value_get_enum(value(index))) }
    func text(_ index: Int) -> String { g_value_get_string(value(index)).map { String(cString: $0) } ?? "" }
    func object(_ index: Int) -> UnsafeMutableRawPointer? { UnsafeMutableRawPointer(g_value_get_object(value(index))) }
    func boxed(_ index: Int) -> UnsafeMutableRawPointer? { g_value_get_boxed(value(index)) }
    func variant(_ index: Int) -> OpaquePointer? { g_value_get_variant(value(index)) }

    private func value(_ index: Int) -> UnsafePointer<GValue> {
        precondition(index + 1 < count, "the signal brings less than that")
        return values + index + 1
    }
}

/// Calls on a signal of a GObject, until the object is gone. GTK is used on the main thread alone.
@MainActor
func onSignal(
    _ signal: String, of object: UnsafeMutableRawPointer, _ handle: @escaping @MainActor (SignalValues) -> Void
) {
    onSignal(
        signal, of: object,
        answering: {
            handle($0); return false
        })
}

/// For signals that ask whether they are dealt with.
@MainActor
func onSignal(
    _ signal: String, of object: UnsafeMutableRawPointer, answering handle: @escaping @MainActor (SignalValues) -> Bool
) {
    let handler = Unmanaged.passRetained(SignalHandler(handle)).toOpaque()
    let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.stride), handler)
    g_closure_set_marshal(closure) { closure, answer, count, values, _, _ in
        guard let data = closure?.pointee.data, let values else { return }
        let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
        // They go no further than this call, which is on the main thread.
        nonisolated(unsafe) let brought = SignalValues(values, count: Int(count))
        let isDone = MainActor.assumeIsolated { handler.handle(brought) }
        if let answer, answer.pointee.g_type == GType(5 << 2) { g_value_set_boolean(answer, isDone ? 1 : 0) }
    }
    g_closure_add_finalize_notifier(closure, handler) { data, _ in
        if let data { Unmanaged<SignalHandler>.fromOpaque(data).release() }
    }
    g_signal_connect_closure(object, signal, closure, 0)
}

@MainActor
private final class SignalHandler {
    let handle: @MainActor (SignalValues) -> Bool

    init(_ handle: @escaping @MainActor (SignalValues) -> Bool) { self.handle = handle }
}
