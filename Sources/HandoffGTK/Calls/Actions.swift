// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Glibc

extension GTKApplication {
    /// Makes an action known, which menus, buttons and notifications call `app.name`. `keys`: as GTK writes them,
    /// `<Control>n`. An action of that name that was there is replaced.
    @discardableResult
    public func addAction(
        _ name: String, keys: [String] = [], _ perform: @escaping @MainActor () -> Void
    ) -> OpaquePointer? {
        setKeys(keys, of: "app.\(name)")
        return add(action: name, to: application.opaque) { _ in perform() }
    }

    /// The keys for an action, given with what is before its name: `app.quit`, `win.save`.
    public func setKeys(_ keys: [String], of action: String) {
        guard !keys.isEmpty else { return }
        var names = keys.map { UnsafePointer(strdup($0)) } + [nil]
        gtk_application_set_accels_for_action(application, action, &names)
        for name in names { free(UnsafeMutableRawPointer(mutating: name)) }
    }
}

extension GTKWindow {
    /// Makes an action of this window known, which its menus and buttons call `win.name`; see
    /// ``GTKApplication/addAction(_:keys:_:)``. Nil for a window that is no `GtkApplicationWindow`, which has no actions.
    ///
    /// The result is a `GSimpleAction`, for `g_simple_action_set_enabled`.
    @discardableResult
    public func addAction(
        _ name: String, keys: [String] = [], _ perform: @escaping @MainActor () -> Void
    ) -> OpaquePointer? {
        guard isInstance(window.raw, of: gtk_application_window_get_type()) else { return nil }
        GTKApplication.shared.setKeys(keys, of: "win.\(name)")
        return add(action: name, to: window.opaque) { _ in perform() }
    }
}

/// `map`: a `GActionMap`. `parameter`: of which type it has one, as GLib writes it.
@MainActor @discardableResult
func add(
    action name: String, with parameter: String? = nil, to map: OpaquePointer,
    _ perform: @escaping @MainActor (SignalValues) -> Void
) -> OpaquePointer? {
    let type = parameter.flatMap { g_variant_type_new($0) }
    defer { g_variant_type_free(type) }
    guard let action = g_simple_action_new(name, type) else { return nil }
    onSignal("activate", of: action.raw, perform)
    g_action_map_add_action(map, action)
    // The map has it now.
    g_object_unref(action.raw)
    return action
}

@MainActor
func isInstance(_ object: UnsafeMutableRawPointer, of type: GType) -> Bool {
    g_type_check_instance_is_a(object.assumingMemoryBound(to: GTypeInstance.self), type) != 0
}
#endif
