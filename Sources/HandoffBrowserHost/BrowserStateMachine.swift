// SPDX-License-Identifier: Apache-2.0

import HandoffClient
import HandoffWire

/// One method for each event, which returns the actions.
///
/// The page in front survives the daemon's restart. Each URL is its own activity, so that the receiver gets the page
/// that it accepted.
struct BrowserStateMachine: ~Copyable {
    enum Action: Hashable, Sendable {
        case tell(HostMessage)
        case send(LocalMessage)
        case answer(AnswerTicket, LocalMessage)
        /// Answered through `answered`, once or several times.
        case ask(LocalMessage, Question)
        /// `windowOpened` follows.
        case openWindow
        /// With the paths of the apps. `iconsRead` follows.
        case readIcons([BundleID: String])
    }

    enum Question: Hashable, Sendable {
        case status
        case list
        case devices
        case phones
        case publication
        case apps
        case continuation(Int)
        case send(Int)
        case takeBack(Int)
    }

    private enum Open {
        case place(AnswerTicket, page: BrowsedPage, asked: ContinuousClock.Instant)
        case opening(AnswerTicket)
        /// For a continuation that the extension requested.
        case ownPage(request: Int)
    }

    private struct Published {
        let activity: ActivityID
        var page: BrowsedPage
        /// Published last.
        var said: BrowsedPage
        var time: ContinuousClock.Instant
    }

    private enum Daemon {
        case away
        case here(name: String)
    }

    private var daemon = Daemon.away
    private let opensHandoff: Bool
    private let noDaemon: HostProblem
    private let placePatience: Duration
    /// `noDaemon` until the daemon answers.
    private var problem: HostProblem?
    private var offers: [ShownOffer] = []
    private var devices: [ShownDevice] = []
    private var phones: [ShownDevice] = []
    private var icons = SentIcons()
    private var windowRequests: [Int] = []
    private var told: HostState?
    private var page: BrowsedPage?
    private var published: Published?
    private var open: [Int: (what: Open, deadline: ContinuousClock.Instant)] = [:]
    private var lastRequest = 0

    init(opensHandoff: Bool, noDaemon: HostProblem, placePatience: Duration = BrowserLimits.placePatience) {
        self.opensHandoff = opensHandoff
        self.noDaemon = noDaemon
        self.placePatience = placePatience
        problem = noDaemon
    }

    // MARK: Time

    var nextDeadline: ContinuousClock.Instant? {
        [open.values.map(\.deadline).min(), titleDue].compactMap { $0 }.min()
    }

    /// Limits updates if a page changes its title constantly.
    private var titleDue: ContinuousClock.Instant? {
        guard let published, published.said != published.page else { return nil }
        return published.time + BrowserLimits.titleSpacing
    }

    mutating func passed(_ now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        for request in open.keys.sorted() {
            guard let (what, deadline) = open[request], deadline <= now else { continue }
            open[request] = nil
            switch what {
            case .place(let ticket, let page, let asked):
                actions.append(.answer(ticket, Self.saved(page, PagePlace(), saving: asked.duration(to: now))))
            case .opening(let ticket):
                actions.append(
                    .answer(ticket, .failure(Failure(.appDidNotAnswer, "the browser did not open the page"))))
            case .ownPage(let own):
                let problem = HostProblem(Failure(.appDidNotAnswer, "the browser did not open the page"))
                actions.append(.tell(.answer(request: own, problem)))
            }
        }
        if let due = titleDue, due <= now { actions += publish(now) }
        return actions
    }

    // MARK: The browser

    /// `fresh`: for a page that was not offered before.
    mutating func said(
        _ message: BrowserMessage, fresh: ActivityID, at now: ContinuousClock.Instant
    ) -> [Action] {
        switch message {
        case .hello: return []
        case .page(let page): return turned(to: page, fresh: fresh, at: now)
        case .left: return left()
        case .look:
            guard case .here = daemon else { return [.tell(.state(state))] }
            told = nil
            return [.ask(.status(.getStatus), .status)]
        case .goOn(let request, let activity, let device, let inBrowser):
            guard case .here = daemon else { return [.tell(.answer(request: request, noDaemon))] }
            let start = StartContinuation(activity: activity, device: device, inBrowser: inBrowser)
            return [.ask(.continuation(.startContinuation(start)), .continuation(request))]
        case .place(let request, let place): return placed(request, place, at: now)
        case .opened(let request, let problem): return opened(request, problem)
        case .send(let request, let page, let receiver, let place):
            return send(page, to: receiver, place, request)
        case .takeBack(let request, let activity):
            guard case .here = daemon else { return [.tell(.answer(request: request, noDaemon))] }
            return [.ask(.sending(.unsendActivity(activity)), .takeBack(request))]
        case .openHandoff(let request):
            windowRequests.append(request)
            return windowRequests.count == 1 ? [.openWindow] : []
        case .unknown(let type): return [.tell(.refused("\(type.prefix(40)) is unknown here"))]
        }
    }

    private mutating func turned(
        to page: BrowsedPage, fresh: ActivityID, at now: ContinuousClock.Instant
    ) -> [Action] {
        // Checked here too: this device's data must not depend on the extension alone.
        guard PageAddress(page.url) != nil else { return left() }
        let page = BrowsedPage(url: page.url, title: page.title.fitting(bytes: Limits.titleBytes))
        self.page = page
        guard case .here = daemon else { return [] }
        guard published?.page.url == page.url else {
            published = Published(activity: fresh, page: page, said: page, time: now)
            return said()
        }
        published?.page = page
        guard let due = titleDue, due <= now else { return [] }
        return publish(now)
    }

    private mutating func left() -> [Action] {
        page = nil
        guard let activity = published?.activity else { return [] }
        published = nil
        return [.send(.advertising(.withdraw(activity)))]
    }

    private func send(_ page: BrowsedPage, to receiver: PageReceiver, _ place: PagePlace, _ request: Int) -> [Action] {
        guard case .here = daemon else { return [.tell(.answer(request: request, noDaemon))] }
        guard PageAddress(page.url) != nil else {
            let failure = Failure(.notAllowed, "only web pages without a password in their address can be sent")
            return [.tell(.answer(request: request, HostProblem(failure)))]
        }
        let page = BrowsedPage(url: page.url, title: page.title.fitting(bytes: Limits.titleBytes))
        do throws(WireError) {
            let state = try Self.state(of: page, place)
            return [.ask(.sending(.sendPage(state, to: receiver.description)), .send(request))]
        } catch {
            let failure = Failure(.internal, "the page cannot be described")
            return [.tell(.answer(request: request, HostProblem(failure)))]
        }
    }

    mutating func windowOpened(_ failure: Failure?) -> [Action] {
        defer { windowRequests = [] }
        return windowRequests.map { .tell(.answer(request: $0, failure.map { HostProblem($0) })) }
    }

    private mutating func placed(_ request: Int, _ place: PagePlace, at now: ContinuousClock.Instant) -> [Action] {
        guard case .place(let ticket, let page, let asked)? = open[request]?.what else { return [] }
        open[request] = nil
        return [.answer(ticket, Self.saved(page, place, saving: asked.duration(to: now)))]
    }

    private mutating func opened(_ request: Int, _ problem: String?) -> [Action] {
        guard let what = open[request]?.what else { return [] }
        let failure = problem.map { Failure(.appDidNotAnswer, "the browser did not open the page: \($0.prefix(200))") }
        switch what {
        case .place: return []
        case .opening(let ticket):
            open[request] = nil
            return [.answer(ticket, failure.map { .failure($0) } ?? .done(accepted: true))]
        case .ownPage(let own):
            open[request] = nil
            return [.tell(.answer(request: own, failure.map { HostProblem($0) }))]
        }
    }

    // MARK: The daemon

    /// `fresh`: for the page in front.
    mutating func connected(
        _ welcome: Welcome, fresh: ActivityID, at now: ContinuousClock.Instant
    ) -> [Action] {
        daemon = .here(name: welcome.deviceName.text)
        problem = nil
        var actions: [Action] = [
            .ask(.status(.getStatus), .status), .ask(.advertising(.listActivities(watch: true, all: false)), .list),
            .ask(.identity(.listDevices(watch: true, isPatient: true)), .devices),
            .ask(.phones(.listPhones(watch: true)), .phones),
        ]
        if let page {
            published = Published(activity: fresh, page: page, said: page, time: now)
            actions += said()
        }
        return actions
    }

    mutating func disconnected() -> [Action] {
        daemon = .away
        problem = noDaemon
        (offers, devices, phones) = ([], [], [])
        icons.disconnected()
        published = nil
        // Void on a later connection. The extension's own requests fail with the connection.
        open = open.filter { if case .ownPage = $0.value.what { true } else { false } }
        return tell()
    }

    mutating func asked(
        _ message: LocalMessage, _ ticket: AnswerTicket?, at now: ContinuousClock.Instant
    ) -> [Action] {
        switch (message, ticket) {
        case (.advertising(.save(let activity, let deadline, _)), let ticket?):
            guard let published, published.activity == activity else {
                return [.answer(ticket, .failure(Failure(.activityGone, "that page is no longer in front")))]
            }
            let patience = min(deadline / 2, placePatience)
            let request = ask(.place(ticket, page: published.page, asked: now), until: now + patience)
            return [.tell(.place(request: request, url: published.page.url))]
        case (.continuation(.willContinue), let ticket?): return [.answer(ticket, .done(accepted: true))]
        case (.continuation(.continueActivity(_, let state, _)), let ticket?):
            guard let url = state.webpageURL, PageAddress(url) != nil else {
                return [.answer(ticket, .failure(Failure(.malformed, "it has no page that a browser could open")))]
            }
            let request = ask(.opening(ticket), until: now + BrowserLimits.openPatience)
            return [.tell(.open(request: request, url: url, PagePlace(userInfo: state.userInfo)))]
        case (.continuation(.wasContinued(let activity, _)), _):
            guard let published, published.activity == activity else { return [] }
            return [.tell(.continued(url: published.page.url))]
        case (.failure(let failure), _): return failed(failure)
        case (_, let ticket?):
            return [.answer(ticket, .failure(Failure(.unimplemented, "a browser cannot do that")))]
        case (_, nil): return []
        }
    }

    mutating func answered(
        _ question: Question, _ result: Result<LocalMessage, Failure>, at now: ContinuousClock.Instant
    ) -> [Action] {
        // The connection's end is handled elsewhere, except for a waiting user's requests.
        switch question {
        case .continuation(let request): return went(request, result, at: now)
        case .send(let request): return sent(request, result)
        case .takeBack(let request): return tookBack(request, result)
        case .status, .list, .devices, .phones, .apps, .publication: break
        }
        guard case .here = daemon else { return [] }
        switch result {
        case .success(.status(.status(let status))):
            problem = status.account == nil ? .noAccount : nil
            return tell()
        case .success(.advertising(.activityList(let list))):
            offers = Array(list.compactMap(ShownOffer.init).prefix(BrowserLimits.offersShown))
            return tell() + (icons.listed(offers) ? [.ask(.launching(.listApps), .apps)] : [])
        case .success(.launching(.appList(let apps, _))):
            let paths = icons.installed(apps)
            return paths.isEmpty ? [] : [.readIcons(paths)]
        case .success(.identity(.deviceList(let list))):
            devices = ShownDevice.list(list)
            return tell()
        case .success(.phones(.phoneList(let list))):
            phones = ShownDevice.list(list)
            return tell()
        case .success: return []
        case .failure(let failure): return failed(failure)
        }
    }

    /// `pictures`: `data:` URLs.
    func iconsRead(_ pictures: [BundleID: String]) -> [Action] {
        pictures.sorted { $0.key.name < $1.key.name }.map { .tell(.icon(app: $0.key.name, data: $0.value)) }
    }

    private mutating func failed(_ failure: Failure) -> [Action] {
        guard failure.code == .noAccount else { return [] }
        problem = .noAccount
        return tell()
    }

    private mutating func went(
        _ request: Int, _ result: Result<LocalMessage, Failure>, at now: ContinuousClock.Instant
    ) -> [Action] {
        switch result {
        case .failure(let failure): return [.tell(.answer(request: request, HostProblem(failure)))]
        case .success(.continuation(.outcome(let outcome))):
            guard case .state(let state) = outcome.how else { return [.tell(.answer(request: request, nil))] }
            // No running browser was known at the start, but this browser runs.
            guard let url = state.webpageURL, PageAddress(url) != nil else {
                let failure = Failure(.noApp, "nothing here can continue it")
                return [.tell(.answer(request: request, HostProblem(failure)))]
            }
            let own = ask(.ownPage(request: request), until: now + BrowserLimits.openPatience)
            return [.tell(.open(request: own, url: url, PagePlace(userInfo: state.userInfo)))]
        // Progress.
        case .success: return []
        }
    }

    private func sent(_ request: Int, _ result: Result<LocalMessage, Failure>) -> [Action] {
        switch result {
        case .success(.sending(.sendList(let list))):
            guard let sent = list.first.flatMap(SentPage.init) else {
                return [.tell(.answer(request: request, HostProblem(.unexpectedAnswer)))]
            }
            return [.tell(.sent(request: request, sent))]
        case .success(.phones(.handedToPhone(let phone))):
            return [.tell(.sent(request: request, SentPage(handed: phone)))]
        case .success: return [.tell(.answer(request: request, HostProblem(.unexpectedAnswer)))]
        case .failure(let failure): return [.tell(.answer(request: request, HostProblem(failure)))]
        }
    }

    private func tookBack(_ request: Int, _ result: Result<LocalMessage, Failure>) -> [Action] {
        if case .failure(let failure) = result { return [.tell(.answer(request: request, HostProblem(failure)))] }
        return [.tell(.answer(request: request, nil))]
    }

    // MARK: Messages

    private mutating func ask(_ what: Open, until deadline: ContinuousClock.Instant) -> Int {
        lastRequest += 1
        open[lastRequest] = (what, deadline)
        return lastRequest
    }

    private mutating func publish(_ now: ContinuousClock.Instant) -> [Action] {
        guard let page = published?.page else { return [] }
        published?.said = page
        published?.time = now
        return said()
    }

    private func said() -> [Action] {
        guard let published else { return [] }
        let page = published.said
        let publication = Publication(
            activity: published.activity, type: .browsingWeb,
            title: page.title.isEmpty ? nil : DisplayText(cleaning: page.title), hasWebPage: true,
            webHost: PageAddress(page.url)?.host)
        return [.ask(.advertising(.publish(publication)), .publication)]
    }

    private var state: HostState {
        var state = HostState()
        state.problem = problem
        if case .here(let name) = daemon { state.deviceName = name }
        state.offers = offers
        (state.devices, state.phones) = (devices, phones)
        state.opensHandoff = opensHandoff
        return state
    }

    private mutating func tell() -> [Action] {
        let state = state
        guard state != told else { return [] }
        told = state
        return [.tell(.state(state))]
    }

    private static func saved(_ page: BrowsedPage, _ place: PagePlace, saving: Duration) -> LocalMessage {
        do throws(WireError) {
            return .advertising(.saved(try state(of: page, place), saving: saving))
        } catch {
            return .failure(Failure(.internal, "the page cannot be described"))
        }
    }

    private static func state(of page: BrowsedPage, _ place: PagePlace) throws(WireError) -> ActivityState {
        ActivityState(type: .browsingWeb, title: page.title, userInfo: try place.userInfo(), webpageURL: page.url)
    }
}

extension HostProblem {
    static func noDaemon(_ start: DaemonStart) -> HostProblem {
        let command: String? = if case .command(let command) = start { command } else { nil }
        return HostProblem(code: "noDaemon", words: Failure.noDaemon.reason, command: command)
    }

    static let noAccount = HostProblem(code: "noAccount", words: "this device is not in an account yet")
}
