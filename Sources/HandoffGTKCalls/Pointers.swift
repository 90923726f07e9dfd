// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
public import CGTK

/// The type of every `gtk_…_new`.
public typealias GTKWidget = UnsafeMutablePointer<GtkWidget>

// Casts that are macros in C.

extension UnsafeMutablePointer {
    /// The same object, without its class.
    public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
    /// The same object, for classes with private fields.
    public var opaque: OpaquePointer { OpaquePointer(self) }

    /// The same object as another class, unchecked.
    public func cast<Class>(to: Class.Type) -> UnsafeMutablePointer<Class> { raw.assumingMemoryBound(to: Class.self) }
}

extension OpaquePointer {
    /// The same object, without its class.
    public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}
#endif
