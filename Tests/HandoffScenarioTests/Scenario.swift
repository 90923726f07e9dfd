// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

/// The actions of a person with two devices, independent of the transport.
struct Scenario {
    static let bundle = "com.example.reader"
    static let type = "com.example.reading"

    private let stage: any Stage
    /// The reader on the laptop, where the person begins, and on the desktop, where they continue.
    private let origin: Program
    private let receiver: Program
    /// The person's command line on each device.
    private let laptop: Program
    private let desktop: Program

    private let article: ActivityID
    private let state: ActivityState
    private let title = DisplayText(cleaning: "The article")

    init(on stage: any Stage) async throws {
        self.stage = stage
        let person = LocalHello(role: .control, name: DisplayText(cleaning: "handoff"))
        let reader = LocalHello(
            role: .app, bundle: try BundleID(Self.bundle), name: DisplayText(cleaning: "Reader"), receives: true)
        laptop = try await stage.program(person, on: .laptop)
        desktop = try await stage.program(person, on: .desktop)
        origin = try await stage.program(reader, on: .laptop)
        receiver = try await stage.program(reader, on: .desktop)
        article = ActivityID(uncheckedBytes: Array(repeating: 7, count: 16))
        state = ActivityState(
            type: try ActivityType(Self.type), title: "The article",
            userInfo: try Value.dictionary([.string("page"): .signed(12)]).encoded())
    }

    func play() async throws {
        try await joinTheTwo()
        try await offer()
        try await goOn()
        try await failToGoOn()
        try await withdraw()
    }

    /// Both devices join one account by a real invite, at the address that it names.
    private func joinTheTwo() async throws {
        _ = try await laptop.answer(to: .identity(.createAccount))
        guard case .identity(.invite(let invite)) = try await laptop.answer(to: .identity(.createInvite(asking: false)))
        else {
            throw Unexpected("no invite")
        }
        let address = try #require(invite.addresses.first)
        _ = try await desktop.answer(to: .identity(.joinAccount(code: invite.code, address: address)))
    }

    /// The laptop's app publishes its activity. The desktop's list shows it with its target.
    private func offer() async throws {
        try desktop.ask(.advertising(.listActivities(watch: true, all: false)))
        let publication = Publication(activity: article, type: state.type, title: title)
        _ = try await origin.answer(to: .advertising(.publish(publication)))
        let offered = try await desktop.hear { message in
            if case .advertising(.activityList(let list)) = message { list.first } else { nil }
        }.what
        #expect(offered.offer.activity == article)
        #expect(offered.offer.title == title)
        #expect(offered.target == .app(try BundleID(Self.bundle)))
    }

    /// The order: will-continue, the origin's will-save, the state, and the report that it arrived.
    private func goOn() async throws {
        let wish = try desktop.ask(.continuation(.startContinuation(StartContinuation(activity: article))))
        try await announce()
        try await save(.advertising(.saved(state, saving: .milliseconds(3))))

        let delivery = try await receiver.hear { message in
            if case .continuation(.continueActivity(_, let state, _)) = message { state } else { nil }
        }
        #expect(delivery.what == state)
        try receiver.answer(delivery.request, .done(accepted: true))

        let outcome = try await desktop.hear(answerTo: wish) { message in
            if case .continuation(.outcome(let outcome)) = message { outcome } else { nil }
        }.what
        #expect(outcome.how == .app(try BundleID(Self.bundle)))
        #expect(Set(outcome.phases.map(\.phase)).isSuperset(of: [.willContinue, .fetch, .willSave, .deliver]))

        let told = try await origin.hear { message in
            if case .continuation(.wasContinued(let activity, let device)) = message { (activity, device) } else { nil }
        }.what
        #expect(told.0 == article && told.1.text == Place.desktop.rawValue)
    }

    /// The origin's state is too large. The receiver's app and the person are each notified once.
    private func failToGoOn() async throws {
        let wish = try desktop.ask(.continuation(.startContinuation(StartContinuation(activity: article))))
        try await announce()
        try await save(.failure(Failure(.payloadTooLarge, "the state has 200 KiB")))
        let failure = try await desktop.hear(answerTo: wish) { message in
            if case .failure(let failure) = message { failure } else { nil }
        }.what
        #expect(failure.code == .payloadTooLarge)
        let told = try await receiver.hear { message in
            if case .continuation(.didFail(_, _, let failure)) = message { failure } else { nil }
        }.what
        #expect(told.code == .payloadTooLarge)
    }

    /// The activity is withdrawn. The apps got exactly the messages above, none of them twice.
    private func withdraw() async throws {
        _ = try await origin.answer(to: .advertising(.withdraw(article)))
        _ = try await desktop.hear { $0 == .advertising(.activityList([])) ? true : nil }
        // The answer arrives after all earlier messages.
        _ = try? await receiver.answer(to: .launching(.listApps))
        #expect(origin.asked == ["save", "wasContinued", "save"])
        #expect(receiver.asked == ["willContinue", "continueActivity", "willContinue", "didFail"])
    }

    private func announce() async throws {
        let announcement = try await receiver.hear { message in
            if case .continuation(.willContinue(_, let type, let origin)) = message { (type, origin) } else { nil }
        }
        #expect(announcement.what.0 == state.type && announcement.what.1.text == Place.laptop.rawValue)
        try receiver.answer(announcement.request, .done(accepted: true))
    }

    private func save(_ answer: LocalMessage) async throws {
        let request = try await origin.hear { message in
            if case .advertising(.save(article, _, _)) = message { true } else { nil }
        }.request
        try origin.answer(request, answer)
    }
}
