// SPDX-License-Identifier: Apache-2.0

package struct ServerProfile: Hashable {
    /// As delivered. Dunst closes a notification on a left click.
    package enum Click: Hashable {
        case left
        case middle
        case unknown
    }

    /// They accept actions without buttons: only a click on the text works.
    private static let withoutButtons: [String: Click] = [
        "dunst": .middle, "mako": .left, "fnott": .unknown, "wired": .middle,
    ]

    /// They draw a second button for the default action.
    private static let withDefaultAsButton: Set = ["xfce notify daemon"]

    package let hasActions: Bool
    package let hasButtons: Bool
    /// For the default action. Nil if there are buttons.
    package let click: Click?
    package let hasDefault: Bool
    package let hasBody: Bool
    package let hasMarkup: Bool

    package init(name: String, capabilities: Set<String>) {
        hasActions = capabilities.contains("actions")
        click = Self.withoutButtons[name.lowercased()]
        hasButtons = hasActions && click == nil
        hasDefault = !Self.withDefaultAsButton.contains(name.lowercased())
        hasBody = capabilities.contains("body")
        hasMarkup = capabilities.contains("body-markup")
    }
}

extension String {
    /// Bodies are markup, so escape other devices' text. By scalars: servers see a sign even before a combining mark.
    package var escapedForMarkup: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&apos;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
