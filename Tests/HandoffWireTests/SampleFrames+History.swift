// SPDX-License-Identifier: Apache-2.0

@testable import HandoffWire

extension SampleFrames {
    static let localOfHistory: [(name: String, frame: LocalFrame)] = [
        (
            "set_policy: history",
            LocalFrame(.policy(.setPolicy(PolicyChange(PolicySubject(.history), isOff: true))), request: 20)
        ),
        ("search_history", LocalFrame(.history(.searchHistory("letter an", limit: 50)), request: 21)),
        (
            "history_list",
            LocalFrame(
                .history(
                    .historyList([
                        HistoryItem(
                            number: 7, title: DisplayText(cleaning: "Letter to Anna"), type: type, app: bundle,
                            appName: DisplayText(cleaning: "Monkey Browser"), lastUse: noon,
                            webpageURL: "https://example.com/anna"),
                        HistoryItem(
                            number: 8, title: DisplayText(cleaning: "Letter"), type: type, app: bundle, appName: nil,
                            lastUse: noon),
                    ])), answer: 21)
        ),
        (
            "open_history",
            LocalFrame(.history(.openHistory(7, activation: try! ActivationToken("token-1"))), request: 22)
        ),
        (
            "open_search",
            LocalFrame(
                .history(.openSearch("letter an", in: bundle, activation: try! ActivationToken("token-2"))), request: 28
            )
        ),
        ("forget_history: all", LocalFrame(.history(.forgetHistory(.all)), request: 23)),
        ("forget_history: of an app", LocalFrame(.history(.forgetHistory(.app(bundle))), request: 24)),
        ("forget_history: entries", LocalFrame(.history(.forgetHistory(.entries([7, 8]))), request: 25)),
        ("history_forgotten", LocalFrame(.history(.historyForgotten(2)), answer: 25)),
        (
            "change_index",
            LocalFrame(
                .history(
                    .changeIndex(
                        IndexChanges(
                            index: "notes",
                            [
                                .item(
                                    IndexedItem(
                                        "note-7", domainIdentifier: "notes.private", attributes: [1, 2], expires: noon,
                                        isUpdate: true)),
                                .item(IndexedItem("note-8")), .deleteItems(["note-1", "note-2"]),
                                .deleteDomains(["notes.old"]), .deleteAll,
                            ], clientState: [1, 2, 3]))), request: 26)
        ),
        ("fetch_client_state", LocalFrame(.history(.fetchClientState("notes")), request: 27)),
        ("client_state", LocalFrame(.history(.clientState([1, 2, 3])), answer: 27)),
        ("list_transfers", LocalFrame(.history(.listTransfers), request: 29)),
        (
            "transfer_list",
            LocalFrame(
                .history(
                    .transferList([
                        ActivityTransfer(
                            .received, at: noon, device: device, deviceName: laptop,
                            type: type, title: DisplayText(cleaning: "Letter"), app: bundle,
                            appName: DisplayText(cleaning: "Monkey Browser"), persistentIdentifier: "letter-7"),
                        ActivityTransfer(
                            .sent, at: noon, device: nil, deviceName: DisplayText(cleaning: "Anna's phone"),
                            type: .browsingWeb, title: nil, app: nil, appName: DisplayText(cleaning: "Firefox")),
                    ])), answer: 29)
        ),
        ("forget_history: transfers", LocalFrame(.history(.forgetHistory(.transfers)), request: 30)),
        ("set_desktop_privacy", LocalFrame(.history(.setDesktopPrivacy(forgets: true)), request: 31)),
    ]
}
