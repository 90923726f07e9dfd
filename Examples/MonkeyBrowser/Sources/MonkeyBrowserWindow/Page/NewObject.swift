// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffGTK

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
