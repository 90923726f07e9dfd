// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus

/// A program's `org.handoff.App1`.
struct AppObject {
    let bus: BusConnection
    /// Unique name.
    let caller: String
    let path: String
    /// Unless the daemon gives another limit.
    let answerTime: Duration

    func ask(
        _ member: String, _ body: [BusValue], within time: Duration? = nil,
        then: @escaping (Result<BusMessage, BusFailure>) -> Void
    ) { bus.call(call(member, body), within: time ?? answerTime, completion: then) }

    func tell(_ member: String, _ body: [BusValue]) { bus.tell(call(member, body)) }

    private func call(_ member: String, _ body: [BusValue]) -> BusCall {
        BusCall(caller, path, InterfaceNames.app, member, body, mayStart: false)
    }

    static var interface: BusInterface {
        func method(
            _ name: String, _ takes: [(String, String)], gives: [(String, String)] = []
        ) -> BusInterface.Method {
            BusInterface.Method(
                name, takes: takes.map { .init($0.0, $0.1) }, gives: gives.map { .init($0.0, $0.1) }
            ) { $1.fail(BusFailure(BusFailure.unknownMethod, "programs have this method")) }
        }
        return BusInterface(
            InterfaceNames.app,
            methods: [
                method("Save", [("activity", "s")], gives: [("properties", "a{sv}")]),
                method(
                    "WillContinue", [("continuation", "s"), ("type", "s"), ("device_name", "s")],
                    gives: [("handled", "b")]),
                method(
                    "Continue", [("continuation", "s"), ("properties", "a{sv}"), ("documents", "aa{sv}")],
                    gives: [("handled", "b")]),
                method("DidFail", [("continuation", "s"), ("type", "s"), ("details", "a{sv}")]),
                method("WasContinued", [("activity", "s"), ("device_name", "s")]),
                method("StreamOpened", [("activity", "s"), ("stream", "s"), ("socket", "h")]),
                method("StreamEnded", [("stream", "s"), ("bytes", "t"), ("details", "a{sv}")]),
                method("Unregistered", [("details", "a{sv}")]),
            ])
    }
}
