// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls

extension GTKApplication {
    /// Adds or replaces an action for menus, buttons and notifications, named `app.name`. `keys`: in GTK's notation,
    /// `<Control>n`.
    @discardableResult
    public func addAction(
        _ name: String, keys: [String] = [], _ perform: @escaping @MainActor () -> Void
    ) -> OpaquePointer? {
        setKeys(keys, of: "app.\(name)")
        return add(action: name, to: application.opaque) { _ in perform() }
    }

    /// Sets the keys of an action with its prefix: `app.quit`, `win.save`.
    public func setKeys(_ keys: [String], of action: String) {
        HandoffGTKCalls.setKeys(keys, of: action, in: application)
    }
}

extension GTKWindow {
    /// Adds an action of this window, named `win.name`; see ``GTKApplication/addAction(_:keys:_:)``. Returns a
    /// `GSimpleAction`; nil if the window is not a `GtkApplicationWindow`.
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
