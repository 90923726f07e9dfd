// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffClient
internal import HandoffCore
internal import HandoffWire

struct StatusCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether the daemon is running, and its state.")

    @Flag(help: "Also show further facts, as JSON always does.")
    var verbose = false
    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        output.show(ShownStatus(try common.connect().status(), isVerbose: verbose))
    }
}

extension BlockingClient {
    func status() throws(Failure) -> DaemonStatus {
        try ask(.status(.getStatus)) { if case .status(.status(let status)) = $0 { status } else { nil } }
    }
}

extension DaemonStatus {
    func text(of fact: String) -> String? {
        guard case .text(let text)? = facts.first(where: { $0.name == fact })?.value else { return nil }
        return text.text
    }
}

private struct ShownStatus: Renderable {
    let software: String
    let deviceName: String
    let device: String?
    let account: String?
    let listening: String
    let recoveryKey: String
    let warnings: [String]
    let devicesKnown: Int
    let devicesConnected: Int
    let activitiesHere: Int
    let activitiesOffered: Int
    let appsInstalled: Int
    let appsInDevelopment: Int
    let appsNotTrusted: Int
    let teamsTrusted: Int
    let browsers: [String]
    let phones: [ShownPhone]
    let pid: Int
    let uptimeSeconds: Int64
    let policy: ShownPolicy
    let facts: ShownFacts?
    let missing: [ShownMissingPart]
    private let isVerbose: Bool
    private let presenceProblem: String?
    private let keyProblem: (clause: String, purpose: String, command: String)?

    enum CodingKeys: CodingKey {
        case software, deviceName, device, account, recoveryKey, listening, warnings, devicesKnown, devicesConnected
        case activitiesHere, activitiesOffered, appsInstalled, appsInDevelopment, appsNotTrusted, teamsTrusted
        case browsers, phones, pid, uptimeSeconds, policy, facts, missing
    }

    init(_ status: DaemonStatus, isVerbose: Bool = false) {
        self.isVerbose = isVerbose
        software = status.software
        deviceName = status.deviceName.text
        device = status.device?.description
        account = status.account?.hex
        listening = status.listening
        recoveryKey = "\(status.recoveryKey)"
        keyProblem = status.recoveryKey.problem
        warnings = status.warnings
        devicesKnown = status.devicesKnown
        devicesConnected = status.devicesConnected
        activitiesHere = status.activitiesHere
        activitiesOffered = status.activitiesOffered
        appsInstalled = status.appsInstalled
        appsInDevelopment = status.appsInDevelopment
        appsNotTrusted = status.appsNotTrusted
        teamsTrusted = status.teamsTrusted
        browsers = status.browsers.map(\.text)
        phones = status.phones.map(ShownPhone.init)
        pid = status.pid
        uptimeSeconds = status.uptime.components.seconds
        policy = ShownPolicy(status.policy)
        facts = ShownFacts(status.facts)
        presenceProblem = status.text(of: "presenceProblem")
        missing = status.missing.map { ShownMissingPart(part: $0.part, loss: $0.loss) }
    }

    private var apps: String {
        guard appsInstalled > 0 || teamsTrusted > 0 else { return "0" }
        let teams = teamsTrusted == 1 ? "1 team is trusted" : "\(teamsTrusted) teams are trusted"
        let marks = [
            appsInDevelopment == 0 ? nil : "\(appsInDevelopment) under development",
            appsNotTrusted == 0 ? nil : "\(appsNotTrusted) of teams that are not trusted",
        ].compactMap(\.self)
        return "\(appsInstalled)" + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))") + "; \(teams)"
    }

    func text(_ terminal: Terminal) -> String {
        var lines = [
            "device      \(deviceName)",
            "account     \(account.map { String($0.prefix(8)) } ?? "none; run: handoff account create, or: handoff account join")",
            "devices     \(devicesKnown > 1 ? "\(devicesConnected) of \(devicesKnown - 1) others connected" : "no others")",
            "activities  \(activitiesHere) here, \(activitiesOffered) offered by others",
            "apps        \(apps)",
            browsers.isEmpty ? nil : "browsers    \(browsers.joined(separator: ", "))",
            phones.isEmpty
                ? nil : "phones      \(phones.map { "\($0.name), through \($0.through)" }.joined(separator: "; "))",
            "listening   \(listening.isEmpty ? "no" : listening)",
            "daemon      \(software), process \(pid), up \(Duration.seconds(uptimeSeconds).inWords)",
        ].compactMap(\.self)
        if isVerbose, let facts { lines.append("more        \(facts.lines.joined(separator: ", "))") }
        lines += missing.map { "missing     \($0.part): \($0.loss)" }
        lines += policy.off.map { "policy      \($0.line)" }
        if let problem = policy.problem { lines.append("warning     \(problem)") }
        if let presenceProblem { lines.append("warning     it may be wrong whether you are here: \(presenceProblem)") }
        if let keyProblem {
            lines.append("warning     \(keyProblem.clause); \(keyProblem.purpose): \(keyProblem.command)")
        }
        lines += warnings.map { "warning     \($0)" }
        return lines.joined(separator: "\n")
    }
}

private struct ShownMissingPart: Encodable {
    let part: String
    let loss: String
}
