// SPDX-License-Identifier: Apache-2.0

import HandoffIcons
import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffWindowModel

// Shows L10, G05.
@Suite struct ActivitiesPageTests {
    private var page = ActivitiesPage()

    private func titles(_ page: ActivitiesPage) -> [String] { page.lines(strings, at: now).map(\.title) }

    @Test mutating func aLineSaysWhatWhereAndSinceWhen() throws {
        page.offered([try activity(1, "Letter to Anna")])
        let line = try #require(page.lines(strings, at: now).first)
        #expect(line.title == "Letter to Anna")
        #expect(line.details == "Notes · laptop · 5 min ago")
        #expect(line.buttonLabel == "Continue “Letter to Anna” from laptop")
        #expect(line.standing == .ready && line.isPressable)
    }

    // Shows L10.
    @Test mutating func aLineShowsTheIconOfTheAppHereAndTheKindOfTheDevice() throws {
        let notes = try BundleID("com.example.notes")
        let other = try BundleID("com.example.other")
        page.offered([
            try activity(1, target: .app(notes)), try activity(2, target: .app(other)), try activity(3),
            try activity(4, target: .script),
        ])
        let lines = page.lines(strings, at: now) { $0 == notes ? .bytes([1]) : nil }
        #expect(
            lines.map(\.picture) == [
                .bytes([1]), .name("com.example.other"), .name("web-browser"), .name("org.handoff.Handoff"),
            ])
        #expect(lines.allSatisfy { $0.emblem == .laptop })
    }

    @Test func eachKindOfDeviceHasItsIcon() {
        let icons = Set(DeviceKind.allCases.map(DeviceLine.icon))
        #expect(icons == [.laptop, .desktop, .tablet, .phone, .server, .computer])
    }

    // Shows W04.
    @Test mutating func sentActivityIsListedApartAndDismissible() throws {
        var sent = try activity(1, "Letter to Anna")
        sent.isSent = true
        page.offered([sent, try activity(2, "b")])
        let lines = page.lines(strings, at: now)
        #expect(lines.map(\.isSent) == [true, false])
        #expect(lines.map(\.dismissLabel) == ["Dismiss “Letter to Anna”", nil])
    }

    @Test mutating func activityThatCannotContinueHereIsOmitted() throws {
        page.offered([
            try activity(1, "from here", isFromHere: true), try activity(2, "for nothing", target: .nothing("no app")),
            try activity(3, "for scripts", target: .script, hasPage: false),
            try activity(4, "a script's page", target: .script), try activity(5, "a page"),
        ])
        page.installed([], receives: true)
        #expect(titles(page) == ["a script's page", "a page"])
    }

    @Test mutating func anActivityWithAMissingAppIsLabelled() throws {
        var missing = try activity(1, "Shopping", target: .nothing("no app"), hasPage: false)
        missing.offer.bundle = try BundleID("com.example.todo")
        missing.offer.appName = DisplayText(cleaning: "To Do")
        page.offered([missing, try activity(2, "a page")])
        #expect(titles(page) == ["a page"], "the apps are not known yet")
        page.installed([], receives: true)
        let line = try #require(page.lines(strings, at: now).first)
        #expect(line.title == "Shopping" && line.details == "To Do is not installed here · laptop")
        #expect(line.standing == .missing && !line.isPressable)
        #expect(page.pressed(id(1)) == nil)
        #expect(page.lines(strings, at: now).newest?.title == "a page", "Return continues the other")
        page.installed([], receives: false)
        #expect(titles(page) == ["a page"], "continuing is switched off here")
        page.installed([try app(of: missing.offer)], receives: true)
        #expect(titles(page) == ["a page"], "the app is installed, but switched off")
    }

    private func app(of offer: Offer) throws -> AppSummary {
        AppSummary(
            bundle: try #require(offer.bundle), name: offer.appName, version: "1", team: offer.team, teamName: nil,
            isInDevelopment: false, isTrusted: true, activityTypes: [offer.type], path: "/opt/ToDo.app",
            isRunning: false)
    }

    @Test mutating func anUntitledActivityHasOneNameForEyesAndReaders() throws {
        var unnamed = try activity(1)
        unnamed.offer.appName = DisplayText(cleaning: "")
        var empty = try activity(2, "")
        empty.offer.webHost = try WebHost("coffee.example")
        page.offered([unnamed, empty, try activity(3)])
        let lines = page.lines(strings, at: now)
        #expect(lines.map(\.title) == ["A web page", "coffee.example", "A web page"])
        #expect(lines.map(\.buttonLabel) == lines.map { "Continue “\($0.title)” from laptop" })
        #expect(
            lines.map(\.details) == ["laptop · 5 min ago", "Notes · laptop · 5 min ago", "Notes · laptop · 5 min ago"])
    }

    @Test mutating func returnContinuesTheNewestThatCanBeContinued() throws {
        var sent = try activity(1, "sent long ago")
        sent.isSent = true
        sent.offer.since = now.advanced(by: .seconds(-9000))
        page.offered([sent, try activity(2, "newest"), try activity(3, "older")])
        #expect(page.lines(strings, at: now).newest?.title == "newest")
        _ = page.pressed(id(2))
        #expect(page.lines(strings, at: now).newest?.title == "older")
    }

    @Test mutating func similarDeviceNamesAreDistinguished() throws {
        page.offered([try activity(1, "a"), try activity(1, "b", on: phone, named: "1aptop")])
        let details = page.lines(strings, at: now).map(\.details)
        #expect(details[0].contains("laptop (\(laptop.short))"))
        #expect(details[1].contains("1aptop (\(phone.short))"))
    }

    @Test mutating func aListThatIsPointedAtStaysAsItIs() throws {
        page.offered([try activity(1, "a"), try activity(2, "b")])
        page.pointed(true)
        page.offered([try activity(3, "new"), try activity(2, "b")])
        #expect(titles(page) == ["a", "b", "new"])
        #expect(page.lines(strings, at: now)[0].standing == .gone)
        #expect(page.pressed(id(1)) == nil)
        page.pointed(false)
    }

    @Test func aPointerThatRestsLetsRowsMoveAgain() {
        var pointer = RestingPointer()
        let start = ContinuousClock.now
        #expect(pointer.hasRested(at: start))
        pointer.moved(at: start)
        #expect(!pointer.hasRested(at: start + RestingPointer.patience - .milliseconds(1)))
        pointer.moved(at: start + .seconds(1))
        #expect(!pointer.hasRested(at: start + RestingPointer.patience))
        #expect(pointer.hasRested(at: start + .seconds(1) + RestingPointer.patience))
    }

    @Test mutating func aContinuationGoesThroughItsPhases() throws {
        page.offered([try activity(1, "a", target: .app(try BundleID("com.example.notes")))])
        let start = page.pressed(id(1))
        #expect(start == StartContinuation(activity: id(1).activity, device: laptop))
        func step() -> String { page.lines(strings, at: now)[0].details }
        var steps = [step()]
        for phase in [Phase.resolve, .launch, .willContinue, .willSave, .fetch] {
            _ = page.heard(
                .success(.continuation(.progress(PhaseTime(phase, .zero)))), of: id(1), strings: strings, at: now)
            steps.append(step())
        }
        #expect(
            steps == [
                "Preparing…", "Starting the app…", "The app is getting ready…", "Fetching from laptop…",
                "Fetching from laptop…", "Handing over…",
            ])
        let progress = DocumentProgress(
            continuation: ContinuationID(uncheckedBytes: [UInt8](repeating: 1, count: ContinuationID.byteCount)),
            name: DisplayText(cleaning: "boat.png"), bytes: 50, total: 200, step: .receiving)
        _ = page.heard(.success(.documents(.documentProgress(progress))), of: id(1), strings: strings, at: now)
        #expect(step() == "Fetching “boat.png”, 25%")
        #expect(page.pressed(id(1)) == nil, "once is enough")
    }

    private func outcome(_ how: ContinuationOutcome.How) -> Result<LocalMessage, Failure> {
        .success(
            .continuation(
                .outcome(
                    ContinuationOutcome(
                        continuation: ContinuationID(
                            uncheckedBytes: [UInt8](repeating: 1, count: ContinuationID.byteCount)), phases: [],
                        how: how, targetName: DisplayText(cleaning: "Notes")))))
    }

    @Test mutating func anOutcomeIsAnnouncedOrItsPageIsOpened() throws {
        page.offered([try activity(1, "a")])
        #expect(page.pressed(id(1))?.inBrowser == true)
        let state = ActivityState(type: try ActivityType("com.example.notes"), webpageURL: "https://example.com/a")
        #expect(
            page.heard(outcome(.state(state)), of: id(1), strings: strings, at: now) == .open("https://example.com/a"))
        #expect(page.lines(strings, at: now)[0].standing == .underWay, "until the browser has it")
        page.opened(id(1))
        #expect(page.lines(strings, at: now)[0].standing == .ready)
        #expect(
            page.heard(outcome(.app(try BundleID("com.example.notes"))), of: id(1), strings: strings, at: now)
                == .say("Continued in Notes."))
    }

    @Test mutating func nonWebAddressIsNeverOpened() throws {
        for address in ["file:///etc/passwd", "javascript:alert(1)", "ssh://host"] {
            page.offered([try activity(1, "a")])
            _ = page.pressed(id(1))
            let state = ActivityState(type: try ActivityType("com.example.notes"), webpageURL: address)
            #expect(page.heard(outcome(.state(state)), of: id(1), strings: strings, at: now) == .none)
            guard case .failed = page.lines(strings, at: now)[0].standing else {
                Issue.record("\(address) did not fail")
                return
            }
        }
    }

    @Test mutating func aPageThatNoBrowserOpenedSaysWhatToDoInItsRow() throws {
        page.offered([try activity(1, "a")])
        _ = page.pressed(id(1))
        page.notOpened(id(1), strings: strings, at: now)
        #expect(page.lines(strings, at: now)[0].details.hasPrefix("No browser could be opened."))
        #expect(page.pressed(id(1)) != nil)
    }

    private mutating func fail(_ number: UInt8, _ code: Failure.Code = .deviceLost) -> ActivitiesPage.Deed {
        _ = page.pressed(id(number))
        return page.heard(.failure(Failure(code, "in English")), of: id(number), strings: strings, at: now)
    }

    @Test mutating func aFailureIsShownOnlyInItsRow() throws {
        page.offered([try activity(1, "a")])
        #expect(fail(1) == .none)
        let line = page.lines(strings, at: now)[0]
        #expect(line.standing == .failed(mayBeRetried: true) && line.isPressable)
        #expect(line.details.hasPrefix("The connection to the other device was lost. Check"))
        #expect(page.pressed(id(1)) != nil)
        #expect(page.lines(strings, at: now)[0].details == "Preparing…")
    }

    @Test mutating func noReasonInEnglishIsShown() throws {
        page.offered([try activity(1, "a")])
        for code in Failure.Code.allCases {
            _ = fail(1, code)
            #expect(!page.lines(LocalizedStrings(.german), at: now)[0].details.contains("in English"))
        }
    }

    @Test mutating func aFailureIsForgottenAfterTheNextSuccess() throws {
        page.offered([try activity(1, "a"), try activity(2, "b")])
        _ = fail(1)
        _ = page.pressed(id(2))
        _ = page.heard(outcome(.pageShown), of: id(2), strings: strings, at: now)
        #expect(page.lines(strings, at: now).map(\.standing) == [.ready, .ready])
    }

    @Test mutating func aFailureIsForgottenAfterAMinute() throws {
        page.offered([try activity(1, "a")])
        _ = fail(1)
        page.forgetFailures(at: now.advanced(by: .seconds(59)))
        #expect(page.lines(strings, at: now)[0].standing == .failed(mayBeRetried: true))
        page.forgetFailures(at: now.advanced(by: .seconds(60)))
        #expect(page.lines(strings, at: now)[0].standing == .ready)
    }

    @Test mutating func aFailureOfADeviceThatLeftNamesTheDeviceAndOffersNothing() throws {
        page.listed([device(laptop, isConnected: true)])
        page.offered([try activity(1, "a"), try activity(2, "b", on: phone, named: "phone"), try activity(3, "c")])
        _ = fail(3)
        page.listed([device(laptop, isConnected: false)])
        page.offered([try activity(2, "b", on: phone, named: "phone")])
        #expect(titles(page) == ["b", "c"])
        let line = page.lines(strings, at: now)[1]
        #expect(line.details == "laptop is no longer connected")
        #expect(line.standing == .failed(mayBeRetried: false) && page.pressed(id(3)) == nil)
        page.forgetFailures(at: now.advanced(by: .seconds(60)))
        #expect(titles(page) == ["b"])
    }

    @Test mutating func aHeldRowSaysWhetherItsActivityOrItsDeviceIsGone() throws {
        page.listed([device(laptop, isConnected: true)])
        page.offered([try activity(1, "a")])
        page.pointed(true)
        page.offered([])
        #expect(page.lines(strings, at: now)[0].details == "No longer available")
        page.listed([device(laptop, isConnected: false)])
        #expect(page.lines(strings, at: now)[0].details == "laptop is no longer connected")
    }

    private func device(_ id: DeviceID, isConnected: Bool) -> DeviceSummary {
        DeviceSummary(
            device: id, name: DisplayText(cleaning: "laptop"), kind: .laptop, isThisDevice: false,
            isConnected: isConnected, address: "", admitted: now, admittedBy: nil)
    }

    /// An activity that moved here is withdrawn there, but its row with the progress stays.
    @Test mutating func aLineUnderWayStaysWhenItsActivityGoes() throws {
        page.offered([try activity(1, "a"), try activity(2, "b")])
        _ = page.pressed(id(2))
        page.offered([])
        #expect(titles(page) == ["a", "b"])
        _ = page.heard(outcome(.pageShown), of: id(2), strings: strings, at: now)
        #expect(page.isEmpty)
    }

    @Test mutating func withoutADaemonThereIsNothing() throws {
        page.offered([try activity(1, "a")])
        _ = page.pressed(id(1))
        page.lostDaemon()
        #expect(page.isEmpty)
        #expect(page.pressed(id(1)) == nil)
    }

    @Test func anEmptyListSaysWhy() {
        var status = DaemonStatus()
        func sentence() -> String { Emptiness(status).sentence(strings) }
        status.devicesKnown = 1
        #expect(sentence() == "This is your only device so far.")
        status.devicesKnown = 2
        #expect(sentence().hasPrefix("No other device is connected."))
        status.devicesConnected = 1
        #expect(sentence() == "What you do in an app on another device appears here.")
        status.activitiesOffered = 1
        #expect(sentence() == "No app here can continue what your other devices offer.")
        status.policy = PolicySummary(off: [PolicySwitch(PolicySubject(.receiving))])
        #expect(sentence() == "Continuing on this device is switched off.")
    }
}
