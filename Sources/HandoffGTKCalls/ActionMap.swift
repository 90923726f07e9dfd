// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
package import CGTK
internal import Glibc

/// `keys`: in GTK's notation, `<Control>n`. `action`: with its prefix, `app.quit`.
@MainActor
package func setKeys(_ keys: [String], of action: String, in application: UnsafeMutablePointer<GtkApplication>) {
    guard !keys.isEmpty else { return }
    var names = keys.map { UnsafePointer(strdup($0)) } + [nil]
    gtk_application_set_accels_for_action(application, action, &names)
    for name in names { free(UnsafeMutableRawPointer(mutating: name)) }
}

/// `map`: a `GActionMap`. `parameter`: its type, in GLib's notation.
@MainActor @discardableResult
package func add(
    action name: String, with parameter: String? = nil, to map: OpaquePointer,
    _ perform: @escaping @MainActor (GTKSignalValues) -> Void
) -> OpaquePointer? {
    let type = parameter.flatMap { g_variant_type_new($0) }
    defer { g_variant_type_free(type) }
    guard let action = g_simple_action_new(name, type) else { return nil }
    onGTKSignal("activate", of: action.raw, perform)
    g_action_map_add_action(map, action)
    // The map retains it.
    g_object_unref(action.raw)
    return action
}

@MainActor
package func isInstance(_ object: UnsafeMutableRawPointer, of type: GType) -> Bool {
    g_type_check_instance_is_a(object.assumingMemoryBound(to: GTypeInstance.self), type) != 0
}
#endif
