// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire

/// Two devices of one account: the laptop offers pages, and the desktop continues them.
final class WebSimulation {
    static let site = try! WebHost("news.example.com")
    static let url = "https://news.example.com/a%2Fb/?q=%C3%BC&x=1#top"

    let simulation: Simulation
    var laptop: SimulatedDevice { simulation.devices[0] }
    var desktop: SimulatedDevice { simulation.devices[1] }

    init(seed: UInt64 = 1) throws { simulation = try Simulation.founded(seed: seed) }

    func settle() { simulation.time.advance(by: .seconds(1)) }

    /// Installs an app on that device, by default of the second team.
    func install(
        _ name: String, team: Int = 1, types: Set<ActivityType> = [], domains: [String] = [], on device: SimulatedDevice
    ) throws -> InstalledApp {
        let signer = simulation.installed[team == 0 ? 0 : 2].signer
        let app = InstalledApp(
            bundle: try BundleID("com.example.\(name)"), name: DisplayText(cleaning: name), signer: signer,
            activityTypes: types, associatedDomains: domains, path: "/apps/\(name).app",
            executable: "/apps/\(name).app/Contents/Linux/\(name)")
        device.catalog.installed.append(app)
        try simulation.ask(device, .launching(.reloadApps))
        return app
    }

    /// These apps claim the host, and its site lists exactly them; the desktop has asked it before this returns.
    func approve(_ apps: [BundleID], for host: WebHost) throws {
        let listed = apps.map { "\"AAAAAAAAAA.\($0.name)\"" }.joined(separator: ",")
        let file = DeviceFixture.file(#"{"activitycontinuation":{"apps":[\#(listed)]}}"#)
        desktop.sites.pages[.init(host)] = apps.isEmpty ? nil : .success(file)
        for index in desktop.catalog.installed.indices where apps.contains(desktop.catalog.installed[index].bundle) {
            desktop.catalog.installed[index].associatedDomains = ["activitycontinuation:\(host)"]
        }
        try simulation.ask(desktop, .launching(.reloadApps))
        try simulation.ask(desktop, .webLinks(.refreshSites(host)))
        settle()
    }

    func run(_ app: InstalledApp, on device: SimulatedDevice) -> WebProgram {
        WebProgram(
            device.listener.connect(executable: app.executable),
            LocalHello(role: .app, bundle: app.bundle, name: app.name, receives: true))
    }

    static func page(_ url: String? = WebSimulation.url, userInfo: [UInt8] = []) -> ActivityState {
        ActivityState(type: .browsingWeb, title: "News", userInfo: userInfo, webpageURL: url)
    }

    /// `["scroll": 0.5]`, the form in which browsers store the position in the page.
    static let scrolled = try! Value.dictionary([.string("scroll"): .double(0.5)]).encoded()

    @discardableResult
    func browse(_ page: ActivityState = WebSimulation.page(), number: UInt8 = 1) -> WebProgram {
        let browser = WebProgram("Chromium", on: laptop)
        browser.offer(number, page)
        settle()
        return browser
    }

    /// Continues the laptop's activity on the desktop, requested by `client` or else by a command.
    func go(
        on program: WebProgram, in app: BundleID? = nil, inBrowser: Bool = false, asking client: TestClient? = nil
    ) throws -> Result<ContinuationOutcome, Failure>? {
        guard let activity = program.activity else { return nil }
        let client = client ?? desktop.control()
        let request = client.request(
            .continuation(.startContinuation(StartContinuation(activity: activity, app: app, inBrowser: inBrowser))))
        simulation.time.advance(by: .seconds(30))
        for answer in client.answers(to: request) {
            if case .continuation(.outcome(let outcome)) = answer { return .success(outcome) }
            if case .failure(let failure) = answer { return .failure(failure) }
        }
        return nil
    }

    func listed(_ program: WebProgram) -> ListedActivity? {
        settle()
        return desktop.listed()?.first { $0.offer.activity == program.activity }
    }

    /// The states that apps started on the desktop received.
    func given(_ app: InstalledApp) -> [ActivityState] {
        desktop.apps.filter { $0.app.bundle == app.bundle }.flatMap(\.states)
    }
}
