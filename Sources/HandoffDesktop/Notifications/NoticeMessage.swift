// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
internal import HandoffClient
package import HandoffCore
internal import HandoffWire

/// What a notification server says of itself.
package struct ServerProfile: Hashable {
    /// They take actions and draw no buttons: a click on the text is all there is.
    private static let withoutButtons: Set = ["dunst", "mako", "fnott", "wired"]

    /// They draw a second button for a click on the whole, which they do not take.
    private static let withDefaultAsButton: Set = ["xfce notify daemon"]

    let hasActions: Bool
    let hasButtons: Bool
    let hasDefault: Bool
    let hasBody: Bool
    let hasMarkup: Bool

    package init(name: String, capabilities: Set<String>) {
        hasActions = capabilities.contains("actions")
        hasButtons = hasActions && !Self.withoutButtons.contains(name.lowercased())
        hasDefault = !Self.withDefaultAsButton.contains(name.lowercased())
        hasBody = capabilities.contains("body")
        hasMarkup = capabilities.contains("body-markup")
    }
}

/// One notification in the words and hints of the desktop notifications specification, 1.2.
package struct NoticeMessage: Hashable {
    static let action = "continue"
    /// A click on the whole of it.
    static let defaultAction = "default"
    static let desktopEntry = "org.handoff.Handoff"

    package private(set) var summary: String
    package private(set) var text: String
    package private(set) var actions: [String] = []
    package let hints: [String: BusValue]

    /// `icon`: a `file:` URL, or the name of an icon in the user's theme.
    package init(_ notice: Notice, for server: ServerProfile, icon: String?) {
        (summary, text) = notice.words
        if notice.canBeContinued {
            let label = notice.subject == .offer ? "Continue" : "Try again"
            if server.hasActions {
                actions = (server.hasDefault ? [Self.defaultAction, label] : []) + [Self.action, label]
            }
            if !server.hasActions {
                text += "\nTo go on here: handoff activity continue"
            } else if !server.hasButtons {
                text += "\nClick to go on here"
            }
        }
        if !server.hasBody {
            summary = ([summary] + text.split(separator: "\n").map(String.init)).joined(separator: " – ")
            text = ""
        }
        if server.hasMarkup { text = text.escapedForMarkup }
        let isSilent = notice.isQuiet || notice.isUpdate
        var hints: [String: BusValue] = [
            "desktop-entry": .string(Self.desktopEntry), "category": .string("device"),
            "urgency": .byte(isSilent ? 0 : 1),
        ]
        if notice.isQuiet { hints["transient"] = .boolean(true) }
        if isSilent { hints["suppress-sound"] = .boolean(true) }
        if let icon { hints["image-path"] = .string(icon) }
        self.hints = hints
    }

    /// Of `Notify`. How long it is shown is the server's to say.
    package func body(replacing id: UInt32?) -> [BusValue] {
        [
            .string("Handoff"), .uint32(id ?? 0), .string(Self.desktopEntry), .string(summary), .string(text),
            .strings(actions), .properties(hints), .int32(-1),
        ]
    }
}

extension Notice {
    /// Titles and names are `DisplayText`: on one line, without control characters and overrides of direction.
    fileprivate var words: (summary: String, text: String) {
        let offer = activity.offer
        let title = offer.title.flatMap { $0.isEmpty ? nil : $0.text } ?? offer.webHost?.name ?? offer.appName.text
        switch subject {
        case .offer: return (title, "\(offer.appName) on \(activity.deviceName)")
        case .failure(let failure, _): return ("Could not continue “\(title)”", advice(failure))
        }
    }

    private func advice(_ failure: Failure) -> String {
        let (device, app) = (activity.deviceName.text, activity.offer.appName.text)
        return switch failure.code {
        case .connectionUnavailable where failure.reason == Failure.noDaemon.reason:
            "handoffd does not run on this device."
        case .connectionUnavailable, .deviceLost:
            "\(device) does not answer. See that it is on and near, and try again."
        case .activityGone, .appGone: "It is no longer open on \(device)."
        case .appTimedOut: "\(app) on \(device) did not answer. Look at it there, and try again."
        case .appDidNotStart, .appDidNotAnswer: "\(activity.targetName) did not start here. Start it, and try again."
        case .payloadTooLarge: "\(app) on \(device) wants to send more than an activity may hold."
        default: DisplayText(cleaning: failure.reason, limit: Limits.reasonCharacters).text
        }
    }
}

extension String {
    /// Bodies are markup: what others wrote is text in it.
    var escapedForMarkup: String {
        reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&apos;"
            default: text.append(character)
            }
        }
    }
}
