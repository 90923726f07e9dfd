// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// One state machine per link, at most one session per device.
package final class SessionsService: Feature {
    let network: any PeerNetwork
    let membership: any Membership
    let roster: any RosterKeeping
    let time: any TimeSource
    let log: Logger
    let boot: BootID
    private let software: DisplayText
    private let versions: ClosedRange<UInt32>

    private(set) var links: [Session] = []
    private(set) var open: [DeviceID: Session] = [:]
    private var choices: UInt64 = 0
    /// An incompatible version, or the last session's end.
    private(set) var problems: [DeviceID: Failure] = [:]
    private(set) var wasReached = false
    var handlers = PeerHandlers()
    private var alarm: (any Alarm)?
    var isPaused = false
    var copies = CopyWatch()
    var rosterIntake = RosterIntake()
    var rosterTelling = RosterTelling()
    var rosterSource: DeviceID?
    var formerMembers: [FormerMemberLink] = []
    var formerMemberPaces = Paces<DeviceID>(FormerMemberLink.pace, most: Limits.rosterStatements)

    /// `boot`: this run of the daemon. `software`: for the other side's diagnosis. `versions`: differs from the build's
    /// own only in tests.
    init(
        network: any PeerNetwork, membership: any Membership, roster: any RosterKeeping, time: any TimeSource,
        boot: BootID, software: DisplayText,
        versions: ClosedRange<UInt32> = ProtocolVersion.peer, log: Logger
    ) {
        self.network = network
        self.membership = membership
        self.roster = roster
        self.time = time
        self.boot = boot
        self.software = software
        self.versions = versions
        self.log = log
    }

    package func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        _ = roster.takeRosterNews()
        membership.onChange { [weak self] in self?.membershipChanged($0) }
        network.sessionHandler = self
        try network.start()
    }

    package func stop() {
        pause(Failure(.cancelled, "the daemon on the other device is stopping"))
        network.stop()
        alarm?.set(nil)
    }

    func pause(_ reason: Failure) {
        isPaused = true
        for session in links { carryOut(session.machine.close(reason), on: session) }
    }

    // MARK: Links

    func begin(_ link: any PeerLink) {
        guard !isPaused else { return link.drop() }
        switch admission(of: link.device) {
        case .member: break
        case .former: return tellFormerMember(link)
        case .stranger: return link.drop()
        }
        let silent = links.count { $0.device == link.device && $0.candidate == nil }
        guard silent < SessionLimits.silentLinksPerDevice else { return link.drop() }
        // A second link is decided about after the other side's hello.
        let isOurChoice = LinkElection.isChooser(membership.device, with: link.device)
        let isHeld = isOurChoice && chosen(for: link.device) != nil
        let choice = isOurChoice && !isHeld ? nextChoice() : 0
        let session = Session(link: link, hello: hello(choice: choice))
        session.ourChoice = choice
        links.append(session)
        carryOut(session.machine.linkOpened(holdingHello: isHeld, now: time.now), on: session)
    }

    private func hello(choice: UInt64) -> PeerHello {
        PeerHello(
            versions: versions, boot: boot, rosterDigest: roster.rosterDigest, software: software, choice: choice,
            port: network.listeningAddress?.port ?? 0, time: time.wallTime)
    }

    private func chosen(for device: DeviceID) -> Session? { links.first { $0.device == device && $0.ourChoice != 0 } }

    private func nextChoice() -> UInt64 {
        choices += 1
        return choices
    }

    func session(of link: any PeerLink) -> Session? { links.first { $0.link === link } }

    func carryOut(_ actions: [SessionAction<Session.Waiter>], on session: Session) {
        defer { arm() }
        var wasOpen = false
        if actions.endsSession {
            // First, so that code that is notified of the end finds no session.
            links.removeAll { $0 === session }
            wasOpen = open[session.device] === session
            if wasOpen { open[session.device] = nil }
        }
        for action in actions {
            switch action {
            case .send(let frame): session.link.send(frame.padded())
            case .greeted(let hello): greeted(session, hello: hello)
            case .opened(let hello): opened(session, hello: hello)
            case .deliver(let message, let request): deliver(message, request: request, of: session)
            case .complete(let waiter, let result): waiter(result)
            case .closeLink: session.link.close()
            case .ended(let failure): ended(session, wasOpen: wasOpen, failure: failure)
            }
        }
    }

    private func greeted(_ session: Session, hello: PeerHello) {
        let newcomer = candidate(session, hello: hello, choice: 0)
        if let current = chosen(for: session.device) {
            let verdict = LinkElection.choice(
                current: current.candidate, of: current.link.preference, newcomer: newcomer)
            guard settle(verdict, between: current, and: session, of: newcomer) else { return }
        }
        session.ourChoice = nextChoice()
        carryOut(session.machine.sayHello(self.hello(choice: session.ourChoice), now: time.now), on: session)
    }

    private func opened(_ session: Session, hello: PeerHello) {
        if !session.link.isDialled { wasReached = true }
        let newcomer = candidate(
            session, hello: hello, choice: session.ourChoice == 0 ? hello.choice : session.ourChoice)
        session.candidate = newcomer
        if let current = open[session.device], let candidate = current.candidate {
            let verdict = LinkElection.latest(current: candidate, newcomer: newcomer)
            guard settle(verdict, between: current, and: session, of: newcomer) else { return }
        }
        session.listening = Self.listening(of: session.link, hello: hello)
        open[session.device] = session
        session.software = hello.software
        session.clock = hello.time.map { ($0, time.now) }
        problems[session.device] = nil
        log.info("Session opened", metadata: metadata(of: session))
        if hello.rosterDigest == roster.rosterDigest {
            roster.hasCaughtUp(session.device)
        } else {
            tellAll(session)
        }
        for handler in handlers.all { handler.sessionOpened(session.device) }
        watchingChanged()
    }

    private func candidate(_ session: Session, hello: PeerHello, choice: UInt64) -> LinkElection.Candidate {
        LinkElection.Candidate(
            boot: hello.boot, choice: choice, greetedAt: time.now, preference: session.link.preference)
    }

    /// Closes one of the two; true if it is the current link.
    private func settle(
        _ verdict: LinkElection.Verdict, between current: Session, and session: Session,
        of newcomer: LinkElection.Candidate
    ) -> Bool {
        let redundant = Failure(.cancelled, "another connection between the two devices was kept")
        switch verdict {
        case .takeNewcomer: carryOut(current.machine.close(redundant), on: current)
        case .keepCurrent:
            if let later = current.candidate?.boot, newcomer.boot < later,
                copies.refused(newcomer.boot, beside: later, of: session.device, now: time.now)
            {
                roster.copyFound(of: session.device, reportedBy: nil)
                session.isOfCopy = true
                // Beacons reveal this only if both machines are on one network.
                carryOut(session.machine.close(.keyOnTwoMachines), on: session)
                carryOut(current.machine.send(.failure(.keyOnTwoMachines), now: time.now), on: current)
            } else {
                carryOut(session.machine.close(redundant), on: session)
            }
            carryOut(current.machine.linkDoubted(now: time.now), on: current)
        }
        return verdict == .takeNewcomer
    }

    private static func listening(of link: any PeerLink, hello: PeerHello) -> PeerEndpoint? {
        if link.isDialled { return link.endpoint }
        switch link.endpoint {
        // The source port is temporary.
        case .address(let address):
            return hello.port == 0 ? nil : .address(NetworkAddress(host: address.host, port: hello.port))
        }
    }

    private func ended(_ session: Session, wasOpen: Bool, failure: Failure?) {
        var metadata = metadata(of: session)
        if let failure { metadata["reason"] = "\(failure)" }
        if failure?.code == .severalDevices, !session.isOfCopy {
            roster.copyFound(of: membership.device, reportedBy: session.device)
        }
        guard wasOpen else {
            if let failure, failure.code == .versionUnsupported {
                if problems.updateValue(failure, forKey: session.device)?.code != .versionUnsupported {
                    log.warning("Protocol versions are incompatible", metadata: metadata)
                }
            } else {
                log.debug("Link ended without a session", metadata: metadata)
            }
            return
        }
        log.info("Session closed", metadata: metadata)
        problems[session.device] = failure
        for handler in handlers.all { handler.sessionClosed(session.device) }
    }

    /// From a dial. The devices' own messages are more exact.
    func versionsDiffer(_ failure: Failure, of device: DeviceID) {
        if problems[device]?.code != .versionUnsupported { problems[device] = failure }
    }

    private func deliver(_ message: PeerMessage, request: UInt64, of session: Session) {
        if case .roster(let update) = message {
            rosterReceived(update, from: session)
            return
        }
        if case .failure(let failure) = message, failure.code == .severalDevices {
            roster.copyFound(of: membership.device, reportedBy: session.device)
            return
        }
        let reply: (PeerMessage) -> Void = { [weak self, weak session] answer in
            guard request != 0, let self, let session else { return }
            self.carryOut(session.machine.answer(request: request, with: answer), on: session)
        }
        handlers.pass(message, from: session.device, reply: reply)
    }

    private func metadata(of session: Session) -> Logger.Metadata {
        ["device": "\(session.device.short)", "dialled": "\(session.link.isDialled)"]
    }

    // MARK: Time

    private func deadlineReached() {
        for session in links { carryOut(session.machine.deadlineReached(now: time.now), on: session) }
        dismissFormerMembers(until: time.now)
        rosterDeadlineReached()
        arm()
    }

    func arm() {
        var next: Instant?
        for session in links { next = next.earlier(session.machine.nextDeadline) }
        for former in formerMembers { next = next.earlier(former.deadline) }
        next = next.earlier(rosterIntake.nextDeadline).earlier(rosterTelling.nextDeadline)
        alarm?.set(next)
    }
}

extension Failure {
    static let keyOnTwoMachines = Failure(.severalDevices, "two machines have this device's key")
}

extension SessionsService: PeerSessionHandler {
    func admission(of device: DeviceID) -> Admission {
        guard device != membership.device else { return .stranger }
        if membership.member(device) != nil { return .member }
        return roster.isFormerMember(device) ? .former : .stranger
    }

    func linkAccepted(_ link: any PeerLink) { begin(link) }

    func frameReceived(_ frame: PeerFrame, on link: any PeerLink) {
        guard let session = session(of: link) else { return heardFormerMember(frame, on: link) }
        carryOut(session.machine.frameReceived(frame, now: time.now), on: session)
    }

    func streamMoved(with device: DeviceID) {
        open[device]?.machine.streamMoved(now: time.now)
        arm()
    }

    func linkClosed(_ link: any PeerLink, failure: Failure?) {
        formerMembers.removeAll { $0.link === link }
        guard let session = session(of: link) else { return }
        carryOut(session.machine.linkClosed(failure), on: session)
    }
}
