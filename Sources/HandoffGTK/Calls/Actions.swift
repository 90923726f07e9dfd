// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls

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
        HandoffGTKCalls.setKeys(keys, of: action, in: application)
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
#endif
