// SPDX-License-Identifier: Apache-2.0

/// The four tabs. Each has its own activity type, which determines the tab of a continued activity.
package enum Tab: Int, CaseIterable, Sendable {
    case weather = 1
    case favorite
    case coffeeBreak
    case work

    package init?(activityType: String) {
        guard let tab = Self.allCases.first(where: { $0.activityType == activityType }) else { return nil }
        self = tab
    }

    package var activityType: String { "com.xamarin.monkeybrowser.tab\(rawValue)" }

    package var name: String {
        switch self {
        case .weather: "Weather"
        case .favorite: "Favorite"
        case .coffeeBreak: "Coffee Break"
        case .work: "Work"
        }
    }

    /// The title that other devices show for an activity of this tab.
    package var activityTitle: String { name + " Tab" }
}
