// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffSystem

/// A separate bus with a stand-in for `handoff-bus`. All processes have an empty home folder, so that a check changes
/// nothing of its user's.
final class CheckStage {
    let loop: BusLoop
    let address: String
    let limits: CheckLimits
    private(set) var handoff: StandInHandoff
    private(set) var adapter: CheckedProcess?
    private(set) var isOver = false

    private let program: String
    private let command: [String]
    private let drive: String?
    private let folder: String
    private let environment: [String: String]
    private var processes: [CheckedProcess] = []
    private let bus: CheckedProcess

    init(
        program: String, command: [String], drive: String?, environment: [String: String],
        limits: CheckLimits = CheckLimits(), on loop: BusLoop
    ) throws(BusFailure) {
        (self.program, self.command, self.drive, self.loop, self.limits) = (program, command, drive, loop, limits)
        var template = Array((environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp").utf8CString)
        template.removeLast()
        template += "/handoff-check-XXXXXX".utf8CString
        guard let made = mkdtemp(&template) else { throw BusFailure(BusFailure.failed, "no temporary folder") }
        let folder = String(cString: made)
        self.folder = folder
        address = "unix:path=\(folder)/bus"
        var own = environment
        (own["DBUS_SESSION_BUS_ADDRESS"], own["HOME"]) = (address, folder + "/home")
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] { own[name] = nil }
        self.environment = own
        do throws(SystemError) {
            try Self.write(folder)
        } catch {
            throw BusFailure(BusFailure.failed, "cannot prepare a bus: \(error.description)")
        }
        bus = try CheckedProcess(
            ["dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile"], environment: own,
            isQuiet: true,
            on: loop)
        handoff = StandInHandoff(programs: [program], saveTime: limits.save, at: address, on: loop)
    }

    private static func write(_ folder: String) throws(SystemError) {
        for name in ["home", "services"] {
            guard mkdir("\(folder)/\(name)", 0o700) == 0 else { throw SystemError("\(folder)/\(name)") }
        }
        // The real ones would take the stand-in's place.
        for name in [InterfaceNames.bus, InterfaceNames.participantBus, AdapterStart.name] {
            try write("[D-BUS Service]\nName=\(name)\nExec=/bin/false\n", to: "\(folder)/services/\(name).service")
        }
        try write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(folder)/bus</listen>
              <auth>EXTERNAL</auth>
              <servicedir>\(folder)/services</servicedir>
              <standard_session_servicedirs/>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """, to: "\(folder)/bus.conf")
    }

    private static func write(_ text: String, to path: String) throws(SystemError) {
        try OpenFile.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600).write(Array(text.utf8))
    }

    func end() {
        for process in processes.reversed() + [bus] { process.end() }
        guard let name = folder.split(separator: "/").last else { return }
        try? OpenFile.open(folder.parent, O_RDONLY | O_DIRECTORY).removeTree(String(name))
    }

    // MARK: Waiting

    /// Runs the loop. False if the condition does not hold in time.
    func wait(_ bound: Duration, until condition: () -> Bool = { false }) -> Bool {
        let end = ContinuousClock.now.advanced(by: bound)
        while !condition() {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero, !isOver else { return false }
            isOver = !loop.runOnce(for: left)
        }
        return true
    }

    /// The answer of the adapter's object. Nil if none arrives.
    func ask(_ member: String, _ body: [BusValue]) -> Result<BusMessage, BusFailure>? {
        let answer = Answer()
        handoff.ask(member, body) { answer.result = $0 }
        _ = wait(limits.answer) { answer.result != nil }
        return answer.result
    }

    private final class Answer {
        var result: Result<BusMessage, BusFailure>?
    }

    // MARK: The adapter

    func startAdapter() throws(BusFailure) {
        endAdapter()
        let adapter = try CheckedProcess(command, environment: environment, on: loop)
        processes.append(adapter)
        self.adapter = adapter
    }

    func endAdapter() {
        guard let adapter else { return }
        processes.removeAll { $0 === adapter }
        adapter.end()
        self.adapter = nil
        _ = wait(limits.answer) { handoff.registration == nil }
    }

    /// The adapter sees the name without an owner first.
    func restartHandoff(absent: Duration = .zero) {
        handoff.leave()
        if absent > .zero { _ = wait(absent) }
        handoff = StandInHandoff(programs: [program], saveTime: limits.save, at: address, on: loop)
        _ = wait(limits.answer) { handoff.hasName }
    }

    func endBus() { bus.end() }

    // MARK: The program

    enum Driven {
        case done
        /// Also if no command was given.
        case cannot(String)
    }

    /// Throws if the command failed.
    func drive(_ verb: String) throws(BusFailure) -> Driven {
        guard let drive else { return .cannot("it needs --drive") }
        let process = try CheckedProcess([drive, verb], environment: environment, on: loop)
        processes.append(process)
        guard wait(limits.drive, until: { !process.isRunning }) else {
            throw BusFailure(BusFailure.failed, "\(drive) \(verb) did not end in \(limits.drive.whole) s")
        }
        switch process.status {
        case 0: return .done
        case CheckLimits.cannot: return .cannot("\(drive) cannot do it")
        default:
            throw BusFailure(BusFailure.failed, "\(drive) \(verb) ended with status \(process.status ?? -1)")
        }
    }
}
