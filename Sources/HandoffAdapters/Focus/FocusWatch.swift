// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffSystem

/// From the X server, from sway, from KWin by a script, or from GNOME's extension; otherwise, nothing is reported.
final class FocusWatch {
    static let interface = "org.handoff.Focus1"

    private static let fallback = "the window that changed last is offered"

    private let focused: (Int32) -> Void
    private let loop: BusLoop
    private var object: BusObject?
    private var sway: SwayFocus?
    private var kwin: KWinScript?

    init(
        environment: [String: String], bus: BusConnection, offLoop: OffLoop, on loop: BusLoop,
        focused: @escaping (Int32) -> Void
    ) throws(BusFailure) {
        self.focused = focused
        self.loop = loop
        object = try BusObject([described], at: HandoffNames.adaptersPath, on: bus)
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let socket = value("SWAYSOCK") {
            do throws(BusFailure) {
                sway = try SwayFocus(socket, on: loop, focused: focused)
            } catch {
                Complaint.say("\(error.sentence); \(Self.fallback)")
            }
        } else if value("WAYLAND_DISPLAY") != nil {
            kwin = try KWinScript(in: UserDataFolders(environment).system, on: bus, offLoop)
        } else if value("DISPLAY") != nil {
            followX()
        }
    }

    /// Before this process ends: the script would start it again.
    func stop() { kwin?.remove() }

    private var described: BusInterface {
        BusInterface(
            Self.interface,
            methods: [
                .init("Focused", takes: [.init("process", "i")]) { [weak self] message, reply in
                    reply.answer()
                    if let process = message[0]?.integer.flatMap(Int32.init(exactly:)) { self?.focused(process) }
                }
            ])
    }

    private func followX() {
        // Only called on the loop.
        nonisolated(unsafe) weak let watch = self
        let report = { @Sendable [queue = loop.queue] (process: Int32) in queue.execute { watch?.focused(process) } }
        _ = loop.runOnThread({ XFocus.follow(report) }) { wasFollowed in
            if !wasFollowed { Complaint.say("the X server reveals no focus; \(Self.fallback)") }
        }
    }
}

/// Lets KWin call `Focused`. On X11, KWin is a window manager like others.
final class KWinScript {
    private static let kwin = "org.kde.KWin"
    private static let name = "handoff-focus"
    /// Below a data folder.
    private static let file = "handoff/programs/kwin-focus.js"

    private let bus: BusConnection
    private var slot: BusSlot?

    init(in folders: [String], on bus: BusConnection, _ offLoop: OffLoop) throws(BusFailure) {
        self.bus = bus
        let find = { @Sendable in
            folders.lazy.map { "\($0)/\(Self.file)" }.first { (file: String) in access(file, R_OK) == 0 }
        }
        slot = try bus.watchName(Self.kwin) { [unowned self] owner in
            guard owner != nil else { return }
            offLoop.run(find) { [weak self] file in
                guard let file else { return Complaint.say("no folder of XDG_DATA_DIRS has \(Self.file)") }
                self?.load(file)
            }
        }
    }

    private func load(_ file: String) {
        // An earlier process may have left it.
        remove()
        bus.call(call("loadScript", [.string(file), .string(Self.name)])) { [weak self] result in
            guard let self, case .success = result else { return Complaint.say("KWin refused a script") }
            bus.tell(call("start"))
        }
    }

    func remove() { bus.tell(call("unloadScript", [.string(Self.name)])) }

    private func call(_ member: String, _ body: [BusValue] = []) -> BusCall {
        BusCall(Self.kwin, "/Scripting", "org.kde.kwin.Scripting", member, body, mayStart: false)
    }
}
