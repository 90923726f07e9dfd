// SPDX-License-Identifier: Apache-2.0

/// What a desktop gives so that the window of a program may come to the front, because its user asked for it: the token of
/// xdg-activation on Wayland, the startup identifier on X11. It counts once, and soon no more.
package struct ActivationToken: Hashable, Sendable {
    /// Whoever starts a program leaves it in its environment.
    package static let variable = "XDG_ACTIVATION_TOKEN"
    /// The same for programs that know the older word alone.
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

    /// Of this program, if it was given one.
    package init?(environment: [String: String]) {
        guard let text = environment[Self.variable] ?? environment[Self.olderVariable], let token = try? Self(text)
        else {
            return nil
        }
        self = token
    }
}
