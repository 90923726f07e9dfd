// SPDX-License-Identifier: Apache-2.0

/// Brings a window to the front, once and only for a short time: the xdg-activation token on Wayland, the startup
/// identifier on X11.
package struct ActivationToken: Hashable, Sendable {
    package static let variable = "XDG_ACTIVATION_TOKEN"
    package static let olderVariable = "DESKTOP_STARTUP_ID"

    package let text: String

    package init(_ text: String) throws(WireError) {
        guard !text.isEmpty, text.utf8.count <= Limits.activationTokenBytes else {
            throw WireError(.badIdentifier, "an activation token has 1 to \(Limits.activationTokenBytes) bytes")
        }
        guard !text.unicodeScalars.contains(where: \.isInvisible) else {
            throw WireError(.badIdentifier, "an activation token has no control characters")
        }
        self.text = text
    }

    package init?(environment: [String: String]) {
        guard let text = environment[Self.variable] ?? environment[Self.olderVariable], let token = try? Self(text)
        else {
            return nil
        }
        self = token
    }
}
