// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffCore
internal import HandoffIcons
internal import HandoffStrings
internal import HandoffWire

extension TrayLines.Entry {
    /// Characters. The longest line determines the menu's width.
    private static let titleLength = 60

    func properties(_ strings: LocalizedStrings, _ icons: AppIcons, at now: WallTime) -> TrayMenu.Properties {
        switch self {
        case .activity(let activity, let isGone):
            ["label": Self.label(activity, strings, at: now), "enabled": .boolean(!isGone)].merging(
                Self.icon(
                    icons.composed(of: activity, size: ComposedIcons.menuSize).map { .bytes($0.png) }
                        ?? icons.picture(of: activity))
            ) { $1 }
        case .paused(let end):
            ["label": .string(strings(.pausedUntil, end.localClock)), "enabled": .boolean(false)]
        case .nothing: ["label": .string(strings[.nothing]), "enabled": .boolean(false)]
        case .more(let count): ["label": .string(strings(.moreActivities, "\(count)"))]
        case .separator: ["type": .string("separator")]
        case .pause(let pause): ["label": .string(strings[pause.title])]
        case .resume: ["label": .string(strings[.resume])]
        case .window: ["label": .string(strings[.openHandoff])]
        case .settings: ["label": .string(strings[.settings])]
        }
    }

    /// Not every host reads files by `icon-name`.
    private static func icon(_ picture: AppPicture) -> TrayMenu.Properties {
        switch picture {
        case .name(let name): ["icon-name": .string(name)]
        case .bytes(let bytes): ["icon-data": .bytes(bytes)]
        }
    }

    /// Doubles underscores, also before combining marks: a single one marks an access key.
    static func label(
        _ activity: ListedActivity, _ strings: LocalizedStrings, at now: WallTime
    ) -> BusValue {
        let title = DisplayText(cleaning: activity.title.text, limit: titleLength)
        let details = strings.details(of: activity, at: now)
        let text = LocalizedStrings.line([title.text, details], separator: " – ")
        let scalars = text.unicodeScalars.flatMap { $0 == "_" ? [$0, $0] : [$0] }
        return .string(String(String.UnicodeScalarView(scalars)))
    }
}
