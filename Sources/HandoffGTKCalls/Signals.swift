// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK

/// A signal's arguments, without its sender. Valid while the signal is handled. For a wrong type or index, GLib warns
/// and the result is empty.
public struct GTKSignalValues {
    private let values: UnsafePointer<GValue>
    private let count: Int

    init(_ values: UnsafePointer<GValue>, count: Int) {
        self.values = values
        self.count = count
    }

    /// An enumeration value.
    public func number(_ index: Int) -> UInt32 { value(index).map { UInt32(bitPattern: g_value_get_enum($0)) } ?? 0 }
    /// A `gint`.
    public func integer(_ index: Int) -> Int { value(index).map { Int(g_value_get_int($0)) } ?? 0 }
    /// Empty if there is none.
    public func text(_ index: Int) -> String {
        value(index).flatMap { g_value_get_string($0) }.map { String(cString: $0) } ?? ""
    }
    public func object(_ index: Int) -> UnsafeMutableRawPointer? {
        value(index).flatMap { UnsafeMutableRawPointer(g_value_get_object($0)) }
    }
    public func boxed(_ index: Int) -> UnsafeMutableRawPointer? { value(index).flatMap { g_value_get_boxed($0) } }
    public func pointer(_ index: Int) -> UnsafeMutableRawPointer? { value(index).flatMap { g_value_get_pointer($0) } }
    public func variant(_ index: Int) -> OpaquePointer? { value(index).flatMap { g_value_get_variant($0) } }

    private func value(_ index: Int) -> UnsafePointer<GValue>? {
        index >= 0 && index + 1 < count ? values + index + 1 : nil
    }
}

/// Calls `handle` for each signal, such as `clicked` or `notify::title`, until the object is destroyed. Main thread
/// only.
@preconcurrency @MainActor
public func onGTKSignal(
    _ signal: String, of object: UnsafeMutableRawPointer, _ handle: @escaping @MainActor (GTKSignalValues) -> Void
) {
    answerGTKSignal(signal, of: object) { values in
        handle(values)
        return false
    }
}

/// The same for signals that request a Boolean, such as `close-request`: return true if handled.
@preconcurrency @MainActor
public func answerGTKSignal(
    _ signal: String, of object: UnsafeMutableRawPointer, _ handle: @escaping @MainActor (GTKSignalValues) -> Bool
) {
    let handler = Unmanaged.passRetained(SignalHandler(handle)).toOpaque()
    let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.stride), handler)
    g_closure_set_marshal(closure) { closure, answer, count, values, _, _ in
        guard let data = closure?.pointee.data, let values else { return }
        let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
        // The arguments do not outlive this call, which is on the main thread.
        nonisolated(unsafe) let brought = GTKSignalValues(values, count: Int(count))
        let isDone = MainActor.assumeIsolated { handler.handle(brought) }
        if let answer, answer.pointee.g_type == FundamentalType.boolean { g_value_set_boolean(answer, isDone ? 1 : 0) }
    }
    g_closure_add_finalize_notifier(closure, handler) { data, _ in
        if let data { Unmanaged<SignalHandler>.fromOpaque(data).release() }
    }
    g_signal_connect_closure(object, signal, closure, 0)
}

@MainActor
private final class SignalHandler {
    let handle: @MainActor (GTKSignalValues) -> Bool

    init(_ handle: @escaping @MainActor (GTKSignalValues) -> Bool) { self.handle = handle }
}
#endif
