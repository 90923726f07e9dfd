// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

final class ConnectedClient: Client {
    typealias Waiter = (Result<LocalMessage, Failure>) -> Void

    let id: ClientID
    let link: any ClientLink
    var machine: ClientStateMachine<Waiter>
    private var admittedAs: Audience?
    private(set) var bundle: BundleID?
    private(set) var name = DisplayText(cleaning: "")
    private(set) var receives = false
    private(set) var launchToken: LaunchToken?

    var refusals = 0

    private let apps: AppsService
    private let membership: any Membership
    private let time: any TimeSource
    private let deadlineChanged: () -> Void

    init(
        id: ClientID, link: any ClientLink, apps: AppsService, membership: any Membership, time: any TimeSource,
        limits: ClientLimits, deadlineChanged: @escaping () -> Void
    ) {
        self.id = id
        self.link = link
        self.apps = apps
        self.membership = membership
        self.time = time
        self.deadlineChanged = deadlineChanged
        machine = ClientStateMachine(now: time.now, limits: limits)
    }

    /// Accounts and apps change while the client is connected.
    var team: Team? {
        guard let bundle else { return membership.account.map(Team.personal) }
        return apps.app(bundle).flatMap(apps.team(of:))
    }

    var processID: Int32 { link.processID }
    var isBehind: Bool { link.isBehind }

    var isAdmitted: Bool { admittedAs != nil }
    var audience: Audience { admittedAs ?? .script }

    /// Returns the frames received in the meantime.
    func admit(
        _ hello: LocalHello, as audience: Audience, of bundle: BundleID?, by token: LaunchToken?
    ) -> [LocalFrame] {
        admittedAs = audience
        self.bundle = bundle
        name = hello.name
        launchToken = token
        // An unregistered program has no types that match an offer. Any program may offer for a system program, but
        // only a process that the daemon started for it gets other devices' activities.
        let isTrusted = bundle?.isSystemProgram != true || token != nil
        receives = hello.receives && isTrusted && (audience == .app || audience == .browser)
        return machine.admitted()
    }

    func send(_ message: LocalMessage) {
        guard machine.isOpen else { return }
        link.send(LocalFrame(message))
    }

    func answer(_ message: LocalMessage, to request: UInt64) {
        guard machine.isOpen else { return }
        if request == 0 {
            guard case .failure = message else { return }
        }
        link.send(LocalFrame(message, answer: request))
    }

    func request(
        _ message: LocalMessage, deadline: Duration, completion: @escaping (Result<LocalMessage, Failure>) -> Void
    ) {
        guard let number = machine.requested(by: completion, deadline: time.now.advanced(by: deadline)) else {
            completion(.failure(Self.left))
            return
        }
        link.send(LocalFrame(message, request: number))
        deadlineChanged()
    }

    static var left: Failure { Failure(.appGone, "the app closed its connection") }
}
