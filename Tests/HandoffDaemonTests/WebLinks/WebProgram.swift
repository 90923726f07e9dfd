// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import HandoffWire

/// A browser, or an app that shows pages, on a simulated device. It offers one page, and records the pages that it
/// receives.
final class WebProgram {
    /// Ends its process in the middle of a continuation.
    enum End: Hashable, Sendable {
        case whenAnnounced
        case whenDelivered
    }

    let client: TestClient
    private(set) var page: ActivityState?
    private(set) var activity: ActivityID?
    private(set) var shown: [ActivityState] = []
    private(set) var announced = 0
    private(set) var failures: [Failure.Code] = []
    private(set) var wasContinued = 0
    var end: End?
    /// Called between the announcement of a page and its answer.
    var onAnnounced: (() -> Void)?
    /// It never confirms that it shows the page.
    var isStuck = false

    /// A browser, which may be any process of the user.
    convenience init(_ name: String, on device: SimulatedDevice, receives: Bool = true) {
        self.init(
            device.listener.connect(executable: "/usr/bin/host"),
            LocalHello(role: .browser, name: DisplayText(cleaning: name), receives: receives))
    }

    init(_ client: TestClient, _ hello: LocalHello) {
        self.client = client
        client.onFrame = { [weak self] in self?.received($0) }
        client.hello(hello)
    }

    /// As the library and the browser's host do; `host` overrides the page's host.
    @discardableResult
    func offer(
        _ number: UInt8, _ page: ActivityState, host: WebHost?? = nil, streams: Bool = false, hasPage: Bool? = nil
    ) -> UInt64 {
        let activity = ActivityID(uncheckedBytes: Array(repeating: number, count: 16))
        self.page = page
        self.activity = activity
        return client.request(
            .advertising(
                .publish(
                    Publication(
                        activity: activity, type: page.type, title: page.title.map { DisplayText(cleaning: $0) },
                        supportsStreams: streams, hasWebPage: hasPage ?? (page.webpageURL != nil),
                        webHost: host ?? WebURL.offeredHost(of: page.webpageURL, page.type)))))
    }

    /// It then saves a different page from the one that it offered.
    func navigate(to page: ActivityState) { self.page = page }

    private func received(_ frame: LocalFrame) {
        switch frame.message {
        case .advertising(.save):
            guard let page else { return }
            client.answer(frame.request, .advertising(.saved(page, saving: .zero)))
        case .continuation(.willContinue):
            announced += 1
            if end == .whenAnnounced { return client.close() }
            onAnnounced?()
            client.answer(frame.request, .done(accepted: true))
        case .continuation(.continueActivity(_, let state, _)):
            if end == .whenDelivered { return client.close() }
            shown.append(state)
            if !isStuck { client.answer(frame.request, .done(accepted: true)) }
        case .continuation(.didFail(_, _, let failure)): failures.append(failure.code)
        case .continuation(.wasContinued): wasContinued += 1
        default: break
        }
    }
}
