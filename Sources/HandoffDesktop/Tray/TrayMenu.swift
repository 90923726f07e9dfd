// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus

/// `com.canonical.dbusmenu` 3. Some hosts report clicks only with `EventGroup`.
final class TrayMenu {
    static let path = "/StatusNotifierItem/Menu"
    private static let interface = "com.canonical.dbusmenu"
    static let group = 256

    enum Event: Hashable {
        /// Some hosts never report that the menu is open or closed.
        case aboutToOpen
        case opened
        case closed
        case pressed(Int32)
    }

    typealias Properties = [String: BusValue]

    /// In display order.
    var items: () -> [(number: Int32, properties: Properties)] = { [] }
    var happened: (Event) -> Void = { _ in }

    private var revision: UInt32 = 1
    private var reported: [(number: Int32, properties: Properties)] = []
    private var object: BusObject?

    init(on bus: BusConnection) throws(BusFailure) {
        object = try BusObject([description], at: Self.path, on: bus)
    }

    /// Unchanged numbers need no new layout.
    func changed() {
        let before = reported
        reported = items()
        guard reported.map(\.number) == before.map(\.number) else {
            revision &+= 1
            object?.emit(Self.interface, "LayoutUpdated", [.uint32(revision), .int32(TrayLines.root)])
            return
        }
        let changes = zip(reported, before).filter { $0.properties != $1.properties }
        guard !changes.isEmpty else { return }
        let updated = changes.map { BusValue.structure([.int32($0.0.number), .properties($0.0.properties)]) }
        // Hosts keep what is not named, and prefer an icon's name to its picture.
        let removed = changes.compactMap { item, before -> BusValue? in
            let names = before.properties.keys.filter { item.properties[$0] == nil }.sorted()
            return names.isEmpty ? nil : .structure([.int32(item.number), .strings(names)])
        }
        object?.emit(
            Self.interface, "ItemsPropertiesUpdated",
            [
                .array(of: .structure([.int32, .array(.entry(.string, .variant))]), updated),
                .array(of: .structure([.int32, .array(.string)]), removed),
            ])
    }

    private var description: BusInterface {
        BusInterface(
            Self.interface,
            methods: [
                .init(
                    "GetLayout",
                    takes: [.init("parentId", "i"), .init("recursionDepth", "i"), .init("propertyNames", "as")],
                    gives: [.init("revision", "u"), .init("layout", "(ia{sv}av)")]
                ) { [unowned self] in layout($0, $1) },
                .init(
                    "GetGroupProperties", takes: [.init("ids", "ai"), .init("propertyNames", "as")],
                    gives: [.init("properties", "a(ia{sv})")]
                ) { [unowned self] in properties(of: $0, $1) },
                .init(
                    "GetProperty", takes: [.init("id", "i"), .init("name", "s")], gives: [.init("value", "v")]
                ) { [unowned self] in property($0, $1) },
                .init(
                    "Event",
                    takes: [.init("id", "i"), .init("eventId", "s"), .init("data", "v"), .init("timestamp", "u")]
                ) { [unowned self] message, reply in
                    guard tell(message.body) else { return reply.fail(Self.noSuchItem) }
                    reply.answer()
                },
                .init("EventGroup", takes: [.init("events", "a(isvu)")], gives: [.init("idErrors", "ai")]) {
                    [unowned self] in tellAll($0, $1)
                },
                .init("AboutToShow", takes: [.init("id", "i")], gives: [.init("needUpdate", "b")]) {
                    [unowned self] in $1.answer([.boolean(needsUpdate($0[0]))])
                },
                .init(
                    "AboutToShowGroup", takes: [.init("ids", "ai")],
                    gives: [.init("updatesNeeded", "ai"), .init("idErrors", "ai")]
                ) { [unowned self] message, reply in
                    let updates = (message[0]?.elements ?? []).prefix(Self.group).filter { needsUpdate($0) }
                    reply.answer([.numbers(updates), .numbers([])])
                },
            ],
            properties: [
                .init("Version", "u", isConstant: true) { .uint32(3) },
                .init("TextDirection", "s", isConstant: true) { .string("ltr") },
                .init("Status", "s") { .string("normal") },
                .init("IconThemePath", "as", isConstant: true) { .strings([]) },
            ],
            signals: [
                .init("LayoutUpdated", says: [.init("revision", "u"), .init("parent", "i")]),
                .init("ItemsPropertiesUpdated", says: [.init("updated", "a(ia{sv})"), .init("removed", "a(ias)")]),
                .init("ItemActivationRequested", says: [.init("id", "i"), .init("timestamp", "u")]),
            ])
    }

    // MARK: Content

    private static let noSuchItem = BusFailure(BusFailure.invalidArguments, "the menu has no such item")

    private func shown(_ number: Int32) -> Properties? {
        number == TrayLines.root
            ? ["children-display": .string("submenu")] : items().first { $0.number == number }?.properties
    }

    private func layout(_ message: BusMessage, _ reply: BusReply) {
        guard case .int32(let parent)? = message[0], case .int32(let depth)? = message[1],
            let properties = shown(parent)
        else { return reply.fail(Self.noSuchItem) }
        let names = Set(message[2]?.strings ?? [])
        let children = parent == TrayLines.root && depth != 0 ? items() : []
        let item = Self.item(
            parent, properties.only(names),
            children.map { .variant(Self.item($0.number, $0.properties.only(names), [])) })
        reply.answer([.uint32(revision), item])
    }

    private static func item(_ number: Int32, _ properties: [String: BusValue], _ children: [BusValue]) -> BusValue {
        .structure([.int32(number), .properties(properties), .array(of: .variant, children)])
    }

    private func properties(of message: BusMessage, _ reply: BusReply) {
        let asked =
            message[0]?.elements?.prefix(Self.group).compactMap { $0.integer.flatMap(Int32.init(exactly:)) } ?? []
        let names = Set(message[1]?.strings ?? [])
        let numbers = asked.isEmpty ? items().map(\.number) : asked
        let found = numbers.compactMap { number in
            shown(number).map { BusValue.structure([.int32(number), .properties($0.only(names))]) }
        }
        reply.answer([.array(of: .structure([.int32, .array(.entry(.string, .variant))]), found)])
    }

    private func property(_ message: BusMessage, _ reply: BusReply) {
        guard case .int32(let number)? = message[0], let value = shown(number)?[message[1]?.text ?? ""] else {
            return reply.fail(Self.noSuchItem)
        }
        reply.answer([.variant(value)])
    }

    // MARK: Events

    /// Before a submenu is shown: only the root has one.
    private func needsUpdate(_ number: BusValue?) -> Bool {
        guard case .int32(TrayLines.root)? = number else { return false }
        let before = revision
        happened(.aboutToOpen)
        return revision != before
    }

    private func tellAll(_ message: BusMessage, _ reply: BusReply) {
        let events = message[0]?.elements ?? []
        guard events.count <= Self.group else {
            return reply.fail(
                BusFailure(BusFailure.limitsExceeded, "at most \(Self.group) events are accepted at once"))
        }
        let unknown = events.filter { !tell($0.elements ?? []) }
        reply.answer([.numbers(unknown.compactMap { $0.elements?.first })])
    }

    private func tell(_ event: [BusValue]) -> Bool {
        guard event.count >= 2, case .int32(let number) = event[0] else { return false }
        switch (number, event[1].text) {
        case (TrayLines.root, "opened"): happened(.opened)
        case (TrayLines.root, "closed"): happened(.closed)
        case (TrayLines.root, _): break
        // The item may just have been removed.
        case (_, "clicked"): happened(.pressed(number))
        default: return shown(number) != nil
        }
        return true
    }
}

extension BusValue {
    fileprivate static func numbers(_ values: [BusValue]) -> BusValue { .array(of: .int32, values) }
}

extension [String: BusValue] {
    fileprivate func only(_ names: Set<String>) -> Self { names.isEmpty ? self : filter { names.contains($0.key) } }
}
