// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls

/// A notification on the desktop.
public struct GTKNotification: Sendable, Hashable {
    /// A button of the notification.
    public struct Button: Sendable, Hashable {
        public var label: String
        /// An action of the app, `app.name`; see ``GTKApplication/addAction(_:keys:_:)``.
        public var action: String

        public init(_ label: String, action: String) {
            self.label = label
            self.action = action
        }
    }

    public var title: String
    public var body: String
    /// A later notification with the same identifier replaces this one. Nil: unique.
    public var identifier: String?
    /// The action for a click, `app.name`; nil activates the app.
    public var action: String?
    public var buttons: [Button]
    public var isUrgent: Bool

    public init(
        title: String, body: String = "", identifier: String? = nil, action: String? = nil, buttons: [Button] = [],
        isUrgent: Bool = false
    ) {
        self.title = title
        self.body = body
        self.identifier = identifier
        self.action = action
        self.buttons = buttons
        self.isUrgent = isUrgent
    }
}

extension GTKApplication {
    /// Shows a notification. Has no effect without the desktop's support or the app's identifier. Call this from the
    /// launch hooks or later.
    public func send(_ notification: GTKNotification) {
        guard hasNotifications, let sent = g_notification_new(notification.title) else { return }
        defer { g_object_unref(sent.raw) }
        if !notification.body.isEmpty { g_notification_set_body(sent, notification.body) }
        if let action = Self.checked(notification.action) { g_notification_set_default_action(sent, action) }
        for button in notification.buttons {
            guard let action = Self.checked(button.action) else { continue }
            g_notification_add_button(sent, button.label, action)
        }
        if notification.isUrgent { g_notification_set_priority(sent, G_NOTIFICATION_PRIORITY_URGENT) }
        g_application_send_notification(application.cast(to: GApplication.self), notification.identifier, sent)
    }

    /// Removes the notification with this identifier, if it is still shown.
    public func withdrawNotification(_ identifier: String) {
        guard hasNotifications else { return }
        g_application_withdraw_notification(application.cast(to: GApplication.self), identifier)
    }

    /// Without a bus, GLib logs a warning.
    private var hasNotifications: Bool {
        let base = application.cast(to: GApplication.self)
        return g_application_get_dbus_connection(base) != nil && g_application_get_application_id(base) != nil
    }

    /// Call before the process ends, to send the last notification.
    func flushNotifications() {
        guard let connection = g_application_get_dbus_connection(application.cast(to: GApplication.self)) else {
            return
        }
        g_dbus_connection_flush_sync(connection, nil, nil)
    }

    /// GLib accepts only the app's actions: windows may be closed.
    private static func checked(_ action: String?) -> String? {
        guard let action, action.hasPrefix("app."), g_action_name_is_valid(String(action.dropFirst(4))) != 0 else {
            return nil
        }
        return action
    }
}
#endif
