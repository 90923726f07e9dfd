// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Lets code that reads a notification from connection options compile. The rest of UserNotifications is missing.

/// Never created.
public final class UNNotificationResponse: NSObject, Sendable {
    /// The user's choice.
    public let actionIdentifier: String
    public let notification: UNNotification

    private init(actionIdentifier: String, notification: UNNotification) {
        self.actionIdentifier = actionIdentifier
        self.notification = notification
    }
}

/// A shown notification.
public final class UNNotification: NSObject, Sendable {
    public let date: Date
    public let request: UNNotificationRequest

    private init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
    }
}

/// A request to show a notification.
public final class UNNotificationRequest: NSObject, Sendable {
    public let identifier: String
    public let content: UNNotificationContent

    private init(identifier: String, content: UNNotificationContent) {
        self.identifier = identifier
        self.content = content
    }
}

/// A notification's text and data.
public final class UNNotificationContent: NSObject, Sendable {
    public let title: String
    public let body: String
    public var userInfo: [AnyHashable: Any] { [:] }

    private init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}
