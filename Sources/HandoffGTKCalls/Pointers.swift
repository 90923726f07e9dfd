// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
public import CGTK

/// What every `gtk_…_new` returns.
public typealias GTKWidget = UnsafeMutablePointer<GtkWidget>

// The casts that are macros in C.

extension UnsafeMutablePointer {
    /// The same object, of no known class.
    public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
    /// The same object, for the classes whose fields are private.
    public var opaque: OpaquePointer { OpaquePointer(self) }

    /// The same object as one of another class, unchecked.
    public func cast<Class>(to: Class.Type) -> UnsafeMutablePointer<Class> { raw.assumingMemoryBound(to: Class.self) }
}

extension OpaquePointer {
    /// The same object, of no known class.
    public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}
#endif
