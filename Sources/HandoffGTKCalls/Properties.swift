// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
package import CGTK

/// GLib's fundamental types, which are macros in C.
package enum FundamentalType {
    package static let boolean = GType(5 << 2)
    package static let string = GType(16 << 2)
    package static let object = GType(20 << 2)
}

/// As `g_object_set` does.
@MainActor
package func setProperty(_ name: String, of object: UnsafeMutableRawPointer, to flag: Bool) {
    setProperty(name, of: object, FundamentalType.boolean) { g_value_set_boolean(&$0, flag ? 1 : 0) }
}

@MainActor
package func setProperty(_ name: String, of object: UnsafeMutableRawPointer, to text: String) {
    setProperty(name, of: object, FundamentalType.string) { g_value_set_string(&$0, text) }
}

@MainActor
package func setProperty(_ name: String, of object: UnsafeMutableRawPointer, to widget: GTKWidget?) {
    setProperty(name, of: object, FundamentalType.object) { g_value_set_object(&$0, widget?.raw) }
}

@MainActor
private func setProperty(
    _ name: String, of object: UnsafeMutableRawPointer, _ type: GType, _ set: (inout GValue) -> Void
) {
    var value = GValue()
    g_value_init(&value, type)
    set(&value)
    g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    g_value_unset(&value)
}

@MainActor
package func hasProperty(_ name: String, _ object: UnsafeMutableRawPointer) -> Bool {
    guard let itsClass = object.assumingMemoryBound(to: GTypeInstance.self).pointee.g_class else { return false }
    return g_object_class_find_property(UnsafeMutablePointer(itsClass).cast(to: GObjectClass.self), name) != nil
}

/// Sets the widget's label for screen readers.
@preconcurrency @MainActor
public func describeGTKWidget(_ widget: GTKWidget, as label: String) {
    var property = GTK_ACCESSIBLE_PROPERTY_LABEL
    var value = GValue()
    g_value_init(&value, FundamentalType.string)
    g_value_set_string(&value, label)
    gtk_accessible_update_property_value(widget.opaque, 1, &property, &value)
    g_value_unset(&value)
}
#endif
