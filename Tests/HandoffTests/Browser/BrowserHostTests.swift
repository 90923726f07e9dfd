// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HandoffBrowserHost
import HandoffClient
import HandoffSystem
import HandoffWire
import Testing

// Shows L06: the program between a browser and the daemon, on real pipes and a real socket.
@Suite struct BrowserHostTests {
    private let page = #"{"type":"page","url":"https://weather.example/tomorrow","title":"Weather"}"#

    @Test func thePageInFrontIsOfferedAndTakenBack() async throws {
        let laptop = try Laptop()
        let browser = try Browser(on: laptop)
        browser.say(#"{"type":"hello","browser":"Firefox"}"#)
        let hello = try await laptop.daemon.hellos.next()
        #expect(hello.role == .browser)
        #expect(hello.name.text == "Firefox")
        #expect(hello.receives)
        try await browser.passOpening(laptop)

        browser.say(page)
        let publication = try await laptop.daemon.nextPublication()
        #expect(publication.type.name == "NSUserActivityTypeBrowsingWeb")
        #expect(publication.title?.text == "Weather")
        #expect(publication.webHost?.name == "weather.example")

        let saving = laptop.daemon.ask(.advertising(.save(publication.activity, deadline: .seconds(120))))
        let place = try await browser.next("place")
        browser.say(#"{"type":"place","request":\#(place.request ?? 0),"scroll":0.5}"#)
        guard case .advertising(.saved(let state, _, _)) = try await saving.next() else { throw Unexpected() }
        #expect(state.webpageURL == "https://weather.example/tomorrow")
        #expect(try Value(encoded: state.userInfo) == .dictionary([.string("scroll"): .double(0.5)]))

        browser.say(#"{"type":"left"}"#)
        #expect(try await laptop.daemon.nextWithdrawal() == publication.activity)
        browser.close()
        #expect(try await browser.ending.next() == .browserLeft)
    }

    @Test func afterARestartOfTheDaemonThePageIsOfferedAgain() async throws {
        let laptop = try Laptop()
        let browser = try Browser(on: laptop)
        browser.say(#"{"type":"hello","browser":"Chromium"}"#)
        try await browser.passOpening(laptop)
        browser.say(page)
        _ = try await laptop.daemon.nextPublication()
        for _ in 1...3 {
            laptop.daemon.stop()
            while try await browser.next("state").problem?.code != "noDaemon" {}
            try laptop.daemon.start()
            try await browser.passOpening(laptop)
            #expect(try await laptop.daemon.nextPublication().webHost?.name == "weather.example")
        }
        browser.close()
        #expect(try await browser.ending.next() == .browserLeft)
    }

    @Test func aMissingDaemonIsReportedToTheBrowser() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let browser = try Browser(on: laptop)
        browser.say(#"{"type":"hello","browser":"Firefox"}"#)
        let problem = try await browser.next("state").problem
        #expect(problem?.code == "noDaemon")
        #expect(problem?.command == "handoffd --root \(laptop.locations.root ?? "") &")
        browser.say(#"{"type":"goOn","request":1,"activity":"000102030405060708090a0b0c0d0e0f"}"#)
        #expect(try await browser.next("answer").problem?.code == "noDaemon")
        browser.close()
        #expect(try await browser.ending.next() == .browserLeft)
    }

    @Test func aContinuationIsRequestedAndAnswered() async throws {
        let laptop = try Laptop()
        let browser = try Browser(on: laptop)
        browser.say(#"{"type":"hello","browser":"Firefox"}"#)
        try await browser.passOpening(laptop)
        browser.say(#"{"type":"goOn","request":1,"activity":"000102030405060708090a0b0c0d0e0f"}"#)
        let start = try await laptop.daemon.frames.next()
        guard case .continuation(.startContinuation(let wish)) = start.message else { throw Unexpected() }
        #expect(wish.activity.hex == "000102030405060708090a0b0c0d0e0f")

        let state = ActivityState(
            type: try ActivityType("NSUserActivityTypeBrowsingWeb"), webpageURL: "https://bread.example/")
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 3, count: 16))
        let delivery = laptop.daemon.ask(.continuation(.continueActivity(continuation, state)))
        let open = try await browser.next("open")
        #expect(open.url == "https://bread.example/")
        browser.say(#"{"type":"opened","request":\#(open.request ?? 0)}"#)
        #expect(try await delivery.next() == .done(accepted: true))
        let outcome = ContinuationOutcome(
            continuation: continuation, phases: [], how: .pageShown, targetName: DisplayText(cleaning: "Firefox"))
        laptop.daemon.send(
            LocalFrame(.continuation(.progress(PhaseTime(.fetch, .milliseconds(1)))), answer: start.request))
        laptop.daemon.send(LocalFrame(.continuation(.outcome(outcome)), answer: start.request))
        let answer = try await browser.next("answer")
        #expect(answer.request == 1)
        #expect(answer.problem == nil)
        browser.close()
    }

    @Test func pageIsSentToAListedDevice() async throws {
        let laptop = try Laptop()
        let browser = try Browser(on: laptop)
        browser.say(#"{"type":"hello","browser":"Firefox"}"#)
        let watch = try await browser.passOpening(laptop)
        let tablet = DeviceID(uncheckedBytes: Array(repeating: 9, count: 32))
        let summary = DeviceSummary(
            device: tablet, name: DisplayText(cleaning: "tablet"), kind: .tablet, isThisDevice: false,
            isConnected: false, address: "", admitted: WallTime(milliseconds: 0), admittedBy: nil)
        // A watched list is answered again after each change.
        laptop.daemon.send(LocalFrame(.identity(.deviceList([])), answer: watch))
        laptop.daemon.send(LocalFrame(.identity(.deviceList([summary])), answer: watch))
        while try await browser.next("state").devices?.first?.name != "tablet" {}

        browser.say(#"{"type":"send","request":7,"url":"https://a.example/","title":"A","device":"\#(tablet)"}"#)
        let sending = try await laptop.daemon.frames.next()
        let state = ActivityState(type: .browsingWeb, title: "A", webpageURL: "https://a.example/")
        #expect(sending.message == .sending(.sendPage(state, to: tablet.description)))
        let offer = Offer(
            activity: ActivityID(uncheckedBytes: Array(0..<16)), type: .browsingWeb,
            appName: DisplayText(cleaning: "Firefox"),
            team: .personal(AccountID(uncheckedBytes: Array(repeating: 1, count: 32))),
            since: WallTime(milliseconds: 0))
        let report = SendReport(
            offer: offer, device: tablet, deviceName: DisplayText(cleaning: "tablet"), sent: WallTime(milliseconds: 0),
            until: WallTime(milliseconds: 1), standing: .waiting(problem: nil))
        laptop.daemon.send(LocalFrame(.sending(.sendList([report])), answer: sending.request))
        let sent = try await browser.next("sent")
        #expect(sent.request == 7)
        #expect(sent.deviceName == "tablet")
        #expect(sent.isTaken == false)
        browser.close()
    }

    @Test func aMissingWindowAppIsReported() async throws {
        let laptop = try Laptop(startingDaemon: false)
        let browser = try Browser(on: laptop)
        browser.say(#"{"type":"hello","browser":"Firefox"}"#)
        browser.say(#"{"type":"openHandoff","request":3}"#)
        let answer = try await browser.next("answer")
        #expect(answer.request == 3)
        #expect(answer.problem?.code == "noApp")
        browser.close()
    }

    @Test func messageAfterBrokenJSONIsAccepted() async throws {
        let laptop = try Laptop()
        let browser = try Browser(on: laptop)
        for broken in ["{", "", "[]", #"{"type":"page","url":7}"#] {
            browser.say(broken)
            _ = try await browser.next("refused")
        }
        // Before the browser is identified, other messages are refused.
        browser.say(page)
        _ = try await browser.next("refused")
        browser.say(#"{"type":"hello","browser":"Firefox"}"#)
        try await browser.passOpening(laptop)
        browser.say(#"{"type":"dance"}"#)
        _ = try await browser.next("refused")
        browser.say(page)
        _ = try await laptop.daemon.nextPublication()
        browser.close()
    }

    @Test func aFalseLengthEndsIt() async throws {
        let laptop = try Laptop()
        let browser = try Browser(on: laptop)
        browser.say(#"{"type":"hello","browser":"Firefox"}"#)
        try await browser.passOpening(laptop)
        browser.write([0xFF, 0xFF, 0xFF, 0x7F])
        _ = try await browser.next("refused")
        let error = NativeFrameError(length: 0x7FFF_FFFF, limit: NativeFrame.incomingBytes)
        #expect(try await browser.ending.next() == .unreadable(error))
    }

    @Test func aBrowserThatGoesInTheMiddleOfAMessageIsGone() async throws {
        let laptop = try Laptop()
        let browser = try Browser(on: laptop)
        browser.write([100, 0, 0, 0, 0x7B])
        browser.close()
        #expect(try await browser.ending.next() == .browserLeft)
    }

    private struct Unexpected: Error {}
}

/// The browser's ends of the pipes of a host that runs on its own thread.
private final class Browser: Sendable {
    struct Told: Decodable, Sendable {
        struct Problem: Decodable, Sendable {
            let code: String
            let command: String?
        }
        struct Device: Decodable, Sendable {
            let name: String
        }
        let type: String
        let request: Int?
        let url: String?
        let scroll: Double?
        let problem: Problem?
        let devices: [Device]?
        let deviceName: String?
        let isTaken: Bool?
    }

    let ending = Mailbox<BrowserHost.Ending>()
    private let told = Mailbox<Told>()
    private let input: CInt
    private let isClosed = Lock(false)

    init(on laptop: Laptop) throws {
        var (toHost, fromHost): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
        // Used like pipes. They take the flags on creation, so that no program started in the meantime inherits them.
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &toHost) == 0, socketpair(AF_UNIX, kind, 0, &fromHost) == 0 else {
            throw Failure(.internal, "no pipe")
        }
        input = toHost[1]
        let (reading, writing, output) = (toHost[0], fromHost[1], fromHost[0])
        let locations = laptop.locations
        onThread { [ending] in
            let host = BrowserHost(
                input: reading, output: writing, locations: locations, placePatience: .seconds(60))
            ending.post(host.run())
            Glibc.close(reading)
            Glibc.close(writing)
        }
        onThread { [told] in
            var reader = NativeFrameReader(limit: NativeFrame.outgoingBytes)
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let count = read(output, &buffer, buffer.count)
                guard count > 0 else { break }
                reader.append(buffer[..<count])
                while let body = try? reader.next() {
                    if let message = try? JSONDecoder().decode(Told.self, from: Data(body)) { told.post(message) }
                }
            }
            Glibc.close(output)
        }
    }

    deinit { close() }

    func say(_ json: String) {
        let body = Array(json.utf8)
        write(withUnsafeBytes(of: UInt32(body.count)) { Array($0) } + body)
    }

    func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.send(input, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
    }

    func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { Glibc.close(input) }
    }

    func next(_ type: String) async throws -> Told {
        while true {
            let message = try await told.next()
            if message.type == type { return message }
        }
    }

    /// A host's first requests to the daemon, which has an account. Returns the number of the one for devices.
    @discardableResult
    func passOpening(_ laptop: Laptop) async throws -> UInt64 {
        let first = try await laptop.daemon.frames.next()
        let second = try await laptop.daemon.frames.next()
        #expect(first.message == .status(.getStatus))
        let third = try await laptop.daemon.frames.next()
        #expect(second.message == .advertising(.listActivities(watch: true, all: false)))
        #expect(third.message == .identity(.listDevices(watch: true, isPatient: true)))
        let fourth = try await laptop.daemon.frames.next()
        #expect(fourth.message == .phones(.listPhones(watch: true)))
        var status = DaemonStatus()
        status.account = AccountID(uncheckedBytes: Array(repeating: 1, count: 32))
        laptop.daemon.send(LocalFrame(.status(.status(status)), answer: first.request))
        laptop.daemon.send(LocalFrame(.advertising(.activityList([])), answer: second.request))
        while try await next("state").problem != nil {}
        return third.request
    }
}
