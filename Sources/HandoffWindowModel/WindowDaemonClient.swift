// SPDX-License-Identifier: Apache-2.0

package import HandoffClient
internal import HandoffIcons
package import HandoffStrings
package import HandoffWire

@MainActor
package final class WindowDaemonClient {
    package enum Face: Hashable, Sendable {
        case waiting
        case noDaemon
        /// This device is no longer in the account.
        case removed
        case firstRun
        case pages
    }

    package enum Part: Hashable, Sendable, CaseIterable {
        case face
        case activities
        case devices
        case settings
        case firstRun
        case joining
        case search
    }

    package let strings: LocalizedStrings
    package private(set) var status: DaemonStatus?
    package private(set) var activities = ActivitiesPage()
    package internal(set) var search = HistorySearch()
    package private(set) var sending = SendingList()
    package private(set) var waiting = WaitingSends()
    package private(set) var devices: [DeviceSummary] = []
    package private(set) var phones: [Phone] = []
    package internal(set) var settings = SettingsPage()
    package internal(set) var preferences: Preferences
    package private(set) var firstRun = FirstRun()
    package private(set) var joining = Joining()
    private var join: LastingRequest?
    /// When this device joined its account, in this window.
    private var joined: WallTime?
    package private(set) var serviceStart = ServiceStart.notTried
    /// The list has arrived, even if it is empty.
    package private(set) var hasList = false

    package var changed: @MainActor (Part) -> Void = { _ in }
    package var said: @MainActor (String) -> Void = { _ in }
    /// For the log: the window shows no reasons, which are English.
    package var noted: @MainActor (Failure) -> Void = { _ in }
    /// `answer`: whether a browser opened the http or https URL.
    package var openPage: @MainActor (String, _ answer: @escaping @MainActor (Bool) -> Void) -> Void = { $1(false) }
    /// Starts the daemon's service. `answer`: nil once it runs. Nil: the daemon is not a service.
    package var startService: (@MainActor (_ answer: @escaping @MainActor (ServiceStart.Problem?) -> Void) -> Void)?
    /// Nil if the desktop provides none. Called once per start of an app: some desktops show a busy indicator until it
    /// is used.
    package var makeActivationToken: @MainActor () -> String? = { nil }

    let link: DaemonClient
    private let hop: DaemonClient.Hop
    private let makeLine: @MainActor () -> any DaemonLine
    private let locations: Locations
    /// The last connected daemon's.
    private(set) var preferencesFile: PreferencesFile
    private var isConnected: Bool?
    let pictures: AppPictures
    let browsers: Browsers

    /// `makeLine` connects to the same daemon. `hop` runs closures on the main thread.
    package init(
        strings: LocalizedStrings, locations: Locations, makeLine: @escaping @MainActor () -> any DaemonLine,
        hop: @escaping DaemonClient.Hop
    ) {
        self.strings = strings
        self.locations = locations
        preferencesFile = PreferencesFile(locations)
        preferences = preferencesFile.read()
        self.makeLine = makeLine
        self.hop = hop
        pictures = AppPictures(hop: hop)
        browsers = Browsers(hop: hop)
        link = DaemonClient(makeLine(), hello: Self.hello, hop: hop)
        link.connected = { [weak self] in self?.connected($0) }
        link.disconnected = { [weak self] in self?.disconnected() }
        link.unavailable = { [weak self] _ in self?.disconnected() }
        pictures.changed = { [weak self] in self?.changed(.activities) }
        browsers.changed = { [weak self] in self?.changed(.activities) }
    }

    package func start() { link.start() }
    package func close() { link.stop() }

    nonisolated static var hello: LocalHello { LocalHello(role: .control, name: DisplayText(cleaning: "Handoff")) }

    package var face: Face {
        guard let isConnected else { return .waiting }
        guard isConnected else { return .noDaemon }
        switch firstRun.step {
        case .creating, .key, .inviting: return .firstRun
        case .welcome, .joining, .recovering, .over: break
        }
        guard let status else { return .waiting }
        if status.account != nil { return .pages }
        return status.membershipEnd != nil ? .removed : .firstRun
    }

    // MARK: The daemon

    package var canStartDaemon: Bool { startService != nil }

    package func startDaemon() {
        guard serviceStart != .starting, isConnected == false, let startService else { return }
        serviceStart = .starting
        changed(.face)
        startService { [weak self] problem in
            guard let self else { return }
            serviceStart = problem.map { .failed($0) } ?? .notTried
            changed(.face)
        }
    }

    private func connected(_ welcome: Welcome) {
        isConnected = true
        if serviceStart != .starting { serviceStart = .notTried }
        // The daemon before it may have had another environment.
        if let places = welcome.places { preferencesFile = PreferencesFile(locations.at(places)) }
        changed(.face)
        link.follow(.advertising(.listActivities(watch: true, all: true))) { [weak self] in self?.listed($0) }
        link.follow(.identity(.listDevices(watch: true))) { [weak self] in self?.listedDevices($0) }
        link.follow(.phones(.listPhones(watch: true))) { [weak self] in self?.listedPhones($0) }
        link.follow(.identity(.listNearby)) { [weak self] in self?.listedNearby($0) }
        refreshStatus()
        refreshSends()
        refreshSettings()
    }

    private func disconnected() {
        guard isConnected != false else { return }
        isConnected = false
        status = nil
        hasList = false
        phones = []
        activities.lostDaemon()
        if search.isOpen { search.lostDaemon() }
        sending.lostDaemon()
        waiting.lostDaemon()
        for part in Part.allCases { changed(part) }
    }

    private func listed(_ answer: Result<LocalMessage, Failure>) {
        guard case .success(.advertising(.activityList(let list))) = answer else { return }
        hasList = true
        activities.offered(list)
        // An app may have been installed since.
        if list.contains(where: { if case .app(let app) = $0.target { !pictures.isKnown(app) } else { false } }) {
            refreshSettings()
        }
        sending.offered(list)
        changed(.activities)
        if activities.isEmpty { refreshStatus() }
    }

    /// Call periodically while the window is visible: the daemon does not report these changes.
    package func refreshStatus() {
        link.request(.status(.getStatus)) { [weak self] answer in
            guard let self, case .success(.status(.status(let status))) = answer else { return }
            let before = self.status
            self.status = status
            if before?.account != nil, status.account == nil { startOver() }
            if before?.account != status.account || before?.membershipEnd != status.membershipEnd || before == nil {
                changed(.face)
            }
            if before?.warnings != status.warnings || before?.recoveryKey != status.recoveryKey { changed(.devices) }
            if before?.policy != status.policy {
                changed(.settings)
                updateApps()
            }
            if activities.isEmpty || before?.browsers != status.browsers { changed(.activities) }
        }
    }

    private func startOver() {
        firstRun = FirstRun()
        cancelJoin()
        changed(.firstRun)
    }

    /// Activities whose app is missing here are listed too.
    func updateApps() {
        guard let status else { return }
        activities.installed(settings.installed, receives: Emptiness(status) != .off)
        changed(.activities)
    }

    /// English.
    package var warnings: [String] { status?.warnings ?? [] }

    private func listedDevices(_ answer: Result<LocalMessage, Failure>) {
        guard case .success(.identity(.deviceList(let list))) = answer, list != devices else { return }
        devices = list
        // The list is empty without an account.
        if list.isEmpty { refreshStatus() }
        activities.listed(list)
        changed(.devices)
        changed(.activities)
    }

    private func listedPhones(_ answer: Result<LocalMessage, Failure>) {
        guard case .success(.phones(.phoneList(let list))) = answer, list != phones else { return }
        phones = list
        changed(.activities)
    }

    private func listedNearby(_ answer: Result<LocalMessage, Failure>) {
        guard case .success(.identity(.nearbyList(let list))) = answer, list != joining.nearby else { return }
        joining.listed(list)
        changed(.joining)
    }

    package func refreshSends() {
        link.request(.sending(.listSends)) { [weak self] answer in
            guard let self else { return }
            let before = waiting
            waiting.heard(answer)
            if waiting != before { changed(.activities) }
        }
    }

    // MARK: Activities

    /// Notes the reason.
    func explain(_ failure: Failure) -> Trouble {
        noted(failure)
        return strings.trouble(failure)
    }

    package func activityLines(at now: WallTime) -> [ActivityLine] {
        activities.forgetFailures(at: now)
        return activities.lines(strings, at: now) { [pictures] in pictures[$0] }
    }

    package func pointed(_ isPointedAt: Bool) {
        activities.pointed(isPointedAt)
        changed(.activities)
    }

    package func press(_ id: ActivityLine.ID) {
        guard var start = activities.pressed(id) else { return }
        // Without a valid token, the app still starts.
        if !start.inBrowser { start.activationToken = makeActivationToken().flatMap { try? ActivationToken($0) } }
        changed(.activities)
        link.follow(.continuation(.startContinuation(start)), until: \.endsContinuation) { [weak self] answer in
            guard let self else { return }
            if case .failure(let failure) = answer { noted(failure) }
            switch activities.heard(answer, of: id, strings: strings, at: .now) {
            case .none: break
            case .say(let sentence): said(sentence)
            case .open(let page): openPage(page) { [weak self] in self?.opened(id, isThere: $0) }
            }
            changed(.activities)
        }
    }

    /// A sent activity is kept until a browser has opened its page.
    private func opened(_ id: ActivityLine.ID, isThere: Bool) {
        let isSent = activities.isSent(id)
        if isThere {
            activities.opened(id)
            said(strings[.openedPage])
            if isSent { dismiss(id) }
        } else {
            activities.notOpened(id, strings: strings, at: .now)
        }
        changed(.activities)
    }

    package func send(_ id: ActivityID, to receiver: SendingList.Receiver.ID) {
        guard let message = sending.chose(receiver, for: id) else { return }
        changed(.activities)
        link.request(message) { [weak self] answer in
            guard let self else { return }
            if case .failure(let failure) = answer { noted(failure) }
            if let success = sending.heard(answer, of: id, strings: strings, at: .now) { said(success) }
            changed(.activities)
            refreshSends()
        }
    }

    /// Takes back a waiting send, or acknowledges a refused one.
    package func takeBack(_ id: ActivityID) {
        guard let message = waiting.tookBack(id) else { return }
        link.request(message) { [weak self] answer in
            guard let self else { return }
            if case .failure(let failure) = answer {
                noted(failure)
                waiting.stayed(id, failure)
                changed(.activities)
            }
            refreshSends()
        }
    }

    package func dismiss(_ id: ActivityLine.ID) {
        link.request(.sending(.dismissSent(id.activity, from: id.device))) { [weak self] answer in
            guard let self, case .failure(let failure) = answer else { return }
            activities.notDismissed(id, explain(failure), at: .now)
            changed(.activities)
        }
    }

    // MARK: Devices

    /// A new device needs a moment to find the others.
    private static let timeToConnect = Duration.seconds(10)

    private var isConnecting: Bool {
        guard let joined, !devices.contains(where: \.isConnected) else { return false }
        return joined.duration(to: .now) < Self.timeToConnect
    }

    package var deviceLines: [DeviceLine] {
        DeviceLine.lines(
            devices, strings, at: .now, isConnecting: isConnecting,
            notifies: { [preferences] in preferences.notifies(of: $0) })
    }
    package var emptiness: Emptiness? { status.map { Emptiness($0, isConnecting: isConnecting) } }

    package func rename(_ device: DeviceID, to name: String) {
        ask(.identity(.renameDevice(device.description, to: name)))
    }

    package func considerRemoving(_ device: DeviceID, then: @escaping @MainActor (RemovalQuestion) -> Void) {
        link.request(.identity(.removeDevice(device.description, onlyAsk: true))) { [weak self] answer in
            guard let self else { return }
            if case .success(.identity(.device(let removed))) = answer { then(RemovalQuestion(removed, strings)) }
            if case .failure(let failure) = answer { said(explain(failure).text) }
        }
    }

    package func remove(_ device: DeviceID, withAdmitted: Bool = false) {
        ask(.identity(.removeDevice(device.description, onlyAsk: false, withAdmitted: withAdmitted)))
    }

    func ask(_ message: LocalMessage) {
        link.request(message) { [weak self] answer in
            guard let self, case .failure(let failure) = answer else { return }
            said(explain(failure).text)
        }
    }

    package func invite() -> Inviting { Inviting(makeLine(), hop: hop) }

    // MARK: First run

    package func chooseFirstDevice() {
        guard let message = firstRun.choseFirstDevice() else { return }
        changed(.firstRun)
        link.request(message) { [weak self] answer in
            guard let self else { return }
            firstRun.heard(answer)
            refreshStatus()
            changed(.firstRun)
        }
    }

    package func step(_ take: (inout FirstRun) -> Void) {
        take(&firstRun)
        if firstRun.step == .over { refreshStatus() }
        cancelJoin()
        changed(.firstRun)
        changed(.joining)
        changed(.face)
    }

    package func join(code: String, address: String) { join(joining.typed(code: code, address: address)) }
    package func join(_ invite: NearbyInvite) { join(joining.chose(invite)) }

    package func confirmNumber(matches: Bool) {
        guard let message = joining.confirmed(matches: matches) else { return }
        changed(.joining)
        join?.request(message) { _ in }
    }

    package func recover(key: String) { join(joining.typed(recoveryKey: key)) }

    private func join(_ message: LocalMessage?) {
        changed(.joining)
        guard let message else { return }
        join?.close()
        join = LastingRequest(message, on: makeLine(), hop: hop, until: Self.isAccount) { [weak self] answer in
            guard let self else { return }
            joining.heard(answer)
            changed(.joining)
            if case .joined = joining.standing {
                joined = .now
                firstRun.finished()
                refreshStatus()
            }
        }
    }

    private func cancelJoin() {
        join?.close()
        join = nil
        joining = Joining(nearby: joining.nearby)
    }

    private nonisolated static func isAccount(_ message: LocalMessage) -> Bool {
        if case .identity(.account) = message { true } else { false }
    }
}
