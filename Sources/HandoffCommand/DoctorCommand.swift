// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffHost
internal import HandoffSystem
internal import HandoffWire

struct DoctorCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find out why devices do not find each other, or nothing is offered.",
        discussion: """
            Examines this device, its network, and the last address of each device that is not connected; this takes up to \
            some seconds. Each check has passed, has failed, or is unknown, because it could not be examined or nothing need \
            be done. Sends one datagram to the network, which other devices ignore.

            The exit code is 1 if a check has failed. Run as root, it also reads the rules of nftables.

            With an activity, or with --why, follows what that device offers from its app there to this device instead, and \
            asks that device. It answers only for activities that it offers; for the others, run the command on it, with its \
            own name.
            """)

    @Argument(
        help: "The beginning of an activity's ID, as handoff activity list --all shows it.",
        completion: Completion.listed)
    var activity: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Say why activities of that type of that device are offered and continue here, or not.",
            valueName: "device> <type"),
        completion: Completion.devices)
    var why: [String] = []

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard why.isEmpty || why.count == 2 else {
            throw ValidationError("--why needs a device and an activity type")
        }
        guard why.isEmpty || activity == nil else { throw ValidationError("give an activity or --why, not both") }
    }

    func perform(_ output: Output) throws {
        let questions = try questions
        let findings = questions.isEmpty ? observe().findings : try questions.flatMap(explain)
        output.show(ShownFindings(findings))
        guard !findings.contains(where: { $0.result == .failed }) else {
            throw ExitCode(ExitStatus.failed.rawValue)
        }
    }

    // MARK: One offer

    private var questions: [OfferQuestion] {
        get throws {
            if let activity {
                // Several devices may have chosen the same ID.
                return try ActivityPrefix(text: activity).matches(
                    in: common.connect().activities(), by: \.offer.activity, nothing: "no activity",
                    several: "several activities",
                    advice: "run: handoff activity list --all    or name a type: handoff doctor --why DEVICE TYPE"
                ).map { listed in
                    OfferQuestion(
                        device: listed.device.description, type: listed.offer.type, activity: listed.offer.activity)
                }
            }
            guard let device = why.first, let type = why.last else { return [] }
            do throws(WireError) {
                return [OfferQuestion(device: device, type: try ActivityType(type))]
            } catch {
                throw CommandFailure.usage(error.reason)
            }
        }
    }

    private func explain(_ question: OfferQuestion) throws -> [Finding] {
        try common.connect().ask(.status(.explainOffer(question))) {
            if case .status(.explanation(let findings)) = $0 { findings } else { nil }
        }
    }

    // MARK: The whole device

    private func observe() -> Observations {
        let environment = ProcessEnvironment.read()
        var state = common.locations.state
        var (daemon, devices) = (Observations.Daemon.silent(reason: "", advice: nil), [DeviceSummary]())
        var history: Observations.History?
        do {
            let client = try common.connect()
            state = client.welcome.places?.state ?? state
            daemon = .running(try client.status())
            devices = (try? client.ask(.identity(.listDevices(watch: false))) { $0.devices }) ?? []
            history = Self.history(client)
        } catch let failure as CommandFailure {
            daemon =
                StateLock.otherHost(using: state).map(Observations.Daemon.onOtherHost)
                ?? .silent(reason: failure.reason, advice: failure.advice)
        } catch {
            daemon = .silent(reason: "\(error)", advice: nil)
        }
        var seen = Observations(
            daemon: daemon, software: DisplayText.software.text, service: service(environment),
            storage: MachineExamination.storage(state))
        seen.history = history
        seen.portHolder = PortHolder.of(BeaconGroup.port)
        seen.interfaces = MachineExamination.interfaces()
        seen.firewalls = MachineExamination.firewalls(
            on: seen.interfaces.map(\.name), environment: environment)
        seen.devices = Self.examine(devices.filter { !$0.isThisDevice })
        return seen
    }

    /// Nil: it is switched off, or may not be read now.
    private static func history(_ client: BlockingClient) -> Observations.History? {
        do throws(Failure) {
            _ = try client.ask(.history(.searchHistory("", limit: 1))) {
                if case .history(.historyList(let items)) = $0 { items } else { nil }
            }
            return .works
        } catch {
            return error.code == .stateNotWritable ? .fails(reason: error.reason) : nil
        }
    }

    private func service(_ environment: [String: String]) -> Observations.Service? {
        guard common.locations.root == nil else { return nil }
        guard DaemonStart(common.locations) == .command(DaemonStart.serviceCommand) else { return .noManager }
        let answer = SpawnedProcess.output(
            of: "systemctl", ["--user", "is-enabled", DaemonStart.socket], environment: environment, limit: 4096,
            within: .seconds(3))
        return answer == nil ? .disabled(start: "systemctl --user enable --now \(DaemonStart.socket)") : .enabled
    }

    private static func clause(ofClock difference: Duration) -> String {
        let amount = difference < .zero ? .zero - difference : difference
        guard amount > Observations.clockTolerance else { return "" }
        return "\(amount.inWords) \(difference < .zero ? "behind" : "ahead of")"
    }

    private static func examine(_ devices: [DeviceSummary]) -> [Observations.Device] {
        let names = DeviceNames(devices.map { ($0.device, $0.name.text) })
        let away = devices.compactMap { $0.isConnected ? nil : NetworkAddress($0.address) }
        let answers = Dictionary(zip(away, DeviceReach.of(away))) { first, _ in first }
        return devices.inOrder.map { device in
            let answer = NetworkAddress(device.address).flatMap { answers[$0] ?? nil }
            var seen = Observations.Device(
                name: names.shown(device.device), isConnected: device.isConnected,
                lastSeen: device.lastSeen.map { "last connected \($0.local)" }, address: device.address,
                reach: answer?.reach)
            (seen.software, seen.problem) = (device.software?.text, device.problem?.text)
            seen.tunnel = answer?.tunnel
            seen.clock = device.clock.map(clause(ofClock:))
            return seen
        }
    }
}

extension LocalMessage {
    fileprivate var devices: [DeviceSummary]? {
        if case .identity(.deviceList(let list)) = self { list } else { nil }
    }
}

private struct ShownFindings: Renderable {
    private struct Shown: Encodable {
        let check: String
        let result: String
        let seen: String
        let advice: String?
    }

    private let findings: [Finding]

    init(_ findings: [Finding]) { self.findings = findings }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for finding in findings {
            try list.encode(
                Shown(
                    check: finding.check.rawValue, result: finding.result.rawValue, seen: finding.seen,
                    advice: finding.advice))
        }
    }

    func text(_ terminal: Terminal) -> String {
        let lines = findings.flatMap { finding in
            let result = finding.result == .failed ? "FAILED" : finding.result.rawValue
            return ["\(result.padded(to: 9))\(finding.seen)"]
                + [finding.advice.map { String(repeating: " ", count: 9) + $0 }].compactMap(\.self)
        }
        return (lines + [summary]).joined(separator: "\n")
    }

    private var summary: String {
        Finding.Result.allCases.map { result in
            let number = findings.count { $0.result == result }
            return "\(number) \(result.rawValue)"
        }.joined(separator: ", ")
    }
}
