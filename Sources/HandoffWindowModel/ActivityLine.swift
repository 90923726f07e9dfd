// SPDX-License-Identifier: Apache-2.0

package import HandoffIcons
package import HandoffStrings
package import HandoffWire

package struct ActivityLine: Hashable, Sendable {
    /// Two devices may offer the same activity.
    package struct ID: Hashable, Sendable {
        var activity: ActivityID
        package var device: DeviceID

        init(_ activity: ActivityID, on device: DeviceID) {
            self.activity = activity
            self.device = device
        }
    }

    package enum Standing: Hashable, Sendable {
        case ready
        case underWay(String)
        case failed(Trouble)
        /// No longer offered; stays only while the list is pointed at.
        case gone
    }

    package var id: ID
    package var title: String
    package var details: String
    package var picture: AppPicture
    /// The kind of the device.
    package var emblem: Icon
    package var standing: Standing
    /// Accessible; everything that the button does.
    package var buttonLabel: String
    /// Nil if not sent here.
    package var dismissLabel: String?

    var isPressable: Bool {
        switch standing {
        case .ready, .failed: true
        case .underWay, .gone: false
        }
    }
}

extension Offer {
    /// The title, or a substitute; may be empty.
    var knownTitle: String { title?.text ?? webHost?.name ?? appName.text }

    /// Never empty.
    func shownTitle(_ strings: LocalizedStrings) -> String { knownTitle.isEmpty ? strings[.aPage] : knownTitle }

    func shownDetails(_ strings: LocalizedStrings, at now: WallTime, between: [String] = []) -> [String] {
        ([appName.text] + between + [strings.age(of: since, at: now)]).filter { !$0.isEmpty && $0 != knownTitle }
    }
}
