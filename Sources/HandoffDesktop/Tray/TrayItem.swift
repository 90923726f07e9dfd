// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus
internal import HandoffStrings
internal import HandoffWire

final class TrayItem {
    static let path = "/StatusNotifierItem"
    private static let interface = "org.kde.StatusNotifierItem"

    enum Event: Hashable {
        case pressed
        /// For the next opened window.
        case activationToken(String)
    }

    struct Content: Hashable {
        var count: Int
        var pausedUntil: WallTime?

        /// Otherwise, the icon is hidden. Paused, it is the way to resume.
        var isShown: Bool { count > 0 || pausedUntil != nil }
    }

    var happened: (Event) -> Void = { _ in }
    var content: Content {
        didSet { if content != oldValue { changed(from: oldValue) } }
    }

    private let strings: DesktopStrings
    private var object: BusObject?

    init(_ content: Content, _ strings: DesktopStrings, on bus: BusConnection) throws(BusFailure) {
        self.content = content
        self.strings = strings
        object = try BusObject([description], at: Self.path, on: bus)
    }

    private func changed(from before: Content) {
        if content.isShown != before.isShown { object?.emit(Self.interface, "NewStatus", [.string(status)]) }
        object?.emit(Self.interface, "NewToolTip")
    }

    private var status: String { content.isShown ? "Active" : "Passive" }

    private var summary: String {
        if let end = content.pausedUntil { return strings.current(.pausedUntil, end.localClock) }
        return switch content.count {
        case 0: strings[.nothing]
        case 1: strings[.oneActivity]
        default: strings.current(.manyActivities, "\(content.count)")
        }
    }

    private var description: BusInterface {
        let place = [BusInterface.Argument("x", "i"), BusInterface.Argument("y", "i")]
        let press = { [unowned self] (_: BusMessage, reply: BusReply) in
            happened(.pressed)
            reply.answer()
        }
        return BusInterface(
            Self.interface,
            methods: [
                .init("Activate", takes: place, call: press),
                .init("SecondaryActivate", takes: place, call: press),
                // The host itself shows the menu.
                .init("ContextMenu", takes: place) { $1.answer() },
                .init("Scroll", takes: [.init("delta", "i"), .init("orientation", "s")]) { $1.answer() },
                .init("ProvideXdgActivationToken", takes: [.init("token", "s")]) { [unowned self] message, reply in
                    happened(.activationToken(message[0]?.text ?? ""))
                    reply.answer()
                },
            ],
            properties: properties,
            signals: [
                .init("NewTitle"), .init("NewIcon"), .init("NewAttentionIcon"), .init("NewOverlayIcon"),
                .init("NewToolTip"), .init("NewStatus", says: [.init("status", "s")]),
            ])
    }

    private var properties: [BusInterface.Property] {
        let picture = BusType.structure([.int32, .int32, .array(.byte)])
        let pictures = BusValue.array(of: picture, [])
        return [
            .init("Category", "s", isConstant: true) { .string("ApplicationStatus") },
            .init("Id", "s", isConstant: true) { .string("org.handoff.Handoff") },
            .init("Title", "s", isConstant: true) { .string("Handoff") },
            .init("Status", "s") { [unowned self] in .string(status) },
            .init("WindowId", "i", isConstant: true) { .int32(0) },
            .init("IconName", "s", isConstant: true) { .string("org.handoff.Handoff-symbolic") },
            .init("IconThemePath", "s", isConstant: true) { .string("") },
            .init("IconPixmap", "a(iiay)", isConstant: true) { pictures },
            .init("OverlayIconName", "s", isConstant: true) { .string("") },
            .init("OverlayIconPixmap", "a(iiay)", isConstant: true) { pictures },
            .init("AttentionIconName", "s", isConstant: true) { .string("") },
            .init("AttentionIconPixmap", "a(iiay)", isConstant: true) { pictures },
            .init("AttentionMovieName", "s", isConstant: true) { .string("") },
            .init("ToolTip", "(sa(iiay)ss)") { [unowned self] in
                .structure([.string("org.handoff.Handoff"), pictures, .string("Handoff"), .string(summary)])
            },
            // A click opens the menu.
            .init("ItemIsMenu", "b", isConstant: true) { .boolean(true) },
            .init("Menu", "o", isConstant: true) { .objectPath(TrayMenu.path) },
        ]
    }
}
