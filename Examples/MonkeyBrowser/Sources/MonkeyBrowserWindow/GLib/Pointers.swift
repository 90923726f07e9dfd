// SPDX-License-Identifier: Apache-2.0

import CWebKitGTK

/// What every `gtk_…_new` returns.
typealias Widget = UnsafeMutablePointer<GtkWidget>

// The casts that are macros in C.

extension UnsafeMutablePointer {
    var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
    /// For the classes whose fields are private.
    var opaque: OpaquePointer { OpaquePointer(self) }

    func cast<Class>(to: Class.Type) -> UnsafeMutablePointer<Class> { raw.assumingMemoryBound(to: Class.self) }
}

extension OpaquePointer {
    var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

/// An object of a class, with objects as properties.
@MainActor
func newObject(_ type: GType, _ properties: KeyValuePairs<String, (type: GType, object: OpaquePointer)>)
    -> UnsafeMutableRawPointer
{
    var values = properties.map { _, property in
        var value = GValue()
        g_value_init(&value, property.type)
        g_value_set_object(&value, property.object.raw)
        return value
    }
    var names = properties.map { name, _ in UnsafePointer(strdup(name)) }
    defer {
        for index in values.indices { g_value_unset(&values[index]) }
        for name in names { free(UnsafeMutableRawPointer(mutating: name)) }
    }
    guard let object = g_object_new_with_properties(type, guint(values.count), &names, values) else {
        preconditionFailure("GLib makes every object of a known class")
    }
    return UnsafeMutableRawPointer(object)
}

/// What a person who does not see the widget hears.
@MainActor
func describe(_ widget: Widget, as label: String) {
    var property = GTK_ACCESSIBLE_PROPERTY_LABEL
    var value = GValue()
    g_value_init(&value, GType(16 << 2))
    g_value_set_string(&value, label)
    gtk_accessible_update_property_value(widget.opaque, 1, &property, &value)
    g_value_unset(&value)
}
