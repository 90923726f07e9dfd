// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows M08: a daemon that hands pages and files to phones, on in-memory adapters.
@Suite struct PhonesServiceTests {
    private static let page = PageAddress("https://weather.example/")!
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture
    private let bus: TestClient
    private let pixel = Phone(
        id: try! PhoneID("pixel_1"), name: DisplayText(cleaning: "Pixel"), kind: .phone, link: .kdeConnect)

    init() throws {
        laptop = try DeviceFixture("laptop")
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time)
        laptop.join(desktop)
        bus = laptop.script()
        #expect(laptop.answer(bus, .phones(.setPhones([pixel]))) == .done(accepted: true))
    }

    private func answering(_ answer: LocalMessage) {
        bus.onFrame = { [weak bus] frame in
            guard case .phones(.shareWithPhone) = frame.message else { return }
            bus?.answer(frame.request, answer)
        }
    }

    private var shared: [LocalMessage.Phones] {
        bus.messages.compactMap {
            if case .phones(let message) = $0, case .shareWithPhone = message { message } else { nil }
        }
    }

    private func send(_ item: PhoneItem = .page(page), to name: String = "Pixel") -> LocalMessage? {
        laptop.answer(laptop.script(), .phones(.sendToPhone(item, to: name)))
    }

    private func browser() -> TestClient {
        let client = laptop.listener.connect(executable: "/usr/libexec/handoff-browser-host")
        client.hello(LocalHello(role: .browser, name: DisplayText(cleaning: "Firefox")))
        laptop.settle()
        return client
    }

    @Test func pagesAndFilesAreHandedToTheProgramOfThePhone() throws {
        answering(.done(accepted: true))
        #expect(send() == .phones(.handedToPhone(pixel)))
        let file = PhoneItem.file(try AbsolutePath("/home/anna/letter.txt"))
        #expect(send(file, to: "pixel_1") == .phones(.handedToPhone(pixel)))
        #expect(
            shared == [
                .shareWithPhone(.page(Self.page), pixel.id, .kdeConnect), .shareWithPhone(file, pixel.id, .kdeConnect),
            ])
    }

    @Test func phonesAreInTheStatusAndTheListUntilTheirClientLeaves() throws {
        let watcher = laptop.script()
        let watch = watcher.request(.phones(.listPhones(watch: true)))
        laptop.settle()
        guard case .status(.status(let status))? = laptop.answer(laptop.script(), .status(.getStatus)) else {
            Issue.record("no status")
            return
        }
        #expect(status.phones == [pixel])
        bus.close()
        laptop.settle()
        #expect(watcher.answers(to: watch) == [.phones(.phoneList([pixel])), .phones(.phoneList([]))])
        #expect(send()?.problem?.code == .deviceLost)
        #expect(send(to: "Nokia")?.problem?.code == .noSuchDevice)
    }

    @Test func aDeviceOfTheAccountIsPreferredToAPhoneOfTheSameName() throws {
        answering(.done(accepted: true))
        let rival = Phone(
            id: try PhoneID("d1"), name: DisplayText(cleaning: "desktop"), kind: .phone, link: .kdeConnect)
        _ = laptop.answer(bus, .phones(.setPhones([rival])))
        #expect(send(to: "desktop")?.problem?.code == .notAllowed)
        #expect(shared.isEmpty)
        let state = ActivityState(type: .browsingWeb, webpageURL: Self.page.url)
        guard case .sending(.sendList)? = laptop.answer(browser(), .sending(.sendPage(state, to: "desktop"))) else {
            Issue.record("not sent to the device")
            return
        }
        for name in ["desktop (phone)", "d1"] { #expect(send(to: name) == .phones(.handedToPhone(rival))) }
    }

    /// A phone chooses its own name and id, so it could choose those of a device.
    @Test func aPhoneCannotTakeOverTheIDOfADevice() throws {
        answering(.done(accepted: true))
        let id = desktop.member.device.description
        let rival = Phone(
            id: try PhoneID(String(id.prefix(64))), name: DisplayText(cleaning: id), kind: .phone,
            link: .kdeConnect)
        _ = laptop.answer(bus, .phones(.setPhones([rival])))
        #expect(send(to: id)?.problem?.code == .notAllowed)
        #expect(shared.isEmpty)
    }

    @Test func aBrowserSendsOnlyWebPagesWithoutPasswords() throws {
        answering(.done(accepted: true))
        let browser = browser()
        func sent(_ url: String) -> LocalMessage? {
            let page = ActivityState(type: .browsingWeb, webpageURL: url)
            return laptop.answer(browser, .sending(.sendPage(page, to: "Pixel")))
        }
        #expect(sent(Self.page.url) == .phones(.handedToPhone(pixel)))
        for url in ["https://anna:secret@weather.example/", "file:///etc/passwd", "javascript:alert(1)"] {
            #expect(sent(url)?.problem?.code == .notAllowed)
        }
        let item = PhoneItem.file(try AbsolutePath("/etc/passwd"))
        #expect(laptop.answer(browser, .phones(.sendToPhone(item, to: "Pixel")))?.problem?.code == .notAllowed)
        #expect(shared.count == 1)
    }

    @Test func onlyTheWebPageOfAnActivityIsHandedOver() throws {
        answering(.done(accepted: true))
        func offer(_ number: UInt8, _ state: ActivityState) -> LocalMessage? {
            let script = laptop.script()
            script.onFrame = { [weak script] frame in
                guard case .advertising(.save) = frame.message else { return }
                script?.answer(frame.request, .advertising(.saved(state, saving: .zero)))
            }
            laptop.publish(number, by: script, type: state.type)
            let message = LocalMessage.sending(.sendActivity(DeviceFixture.activity(number), to: "Pixel"))
            return laptop.answer(laptop.script(), message)
        }
        let page = ActivityState(type: .browsingWeb, title: "Weather", webpageURL: Self.page.url)
        #expect(offer(2, page) == .phones(.handedToPhone(pixel)))
        #expect(shared == [.shareWithPhone(.page(Self.page), pixel.id, .kdeConnect)])
        #expect(offer(3, ActivityState(type: DeviceFixture.reading, title: "page 7"))?.problem?.code == .notAllowed)
        let secret = ActivityState(type: .browsingWeb, webpageURL: "https://anna:secret@weather.example/")
        #expect(offer(4, secret)?.problem?.code == .notAllowed)
        #expect(shared.count == 1)
    }

    @Test func withoutAnAccountPhonesAcceptPages() throws {
        let alone = try DeviceFixture("alone", number: 9, time: laptop.time, account: nil)
        let bus = alone.script()
        bus.onFrame = { [weak bus] frame in
            guard case .phones(.shareWithPhone) = frame.message else { return }
            bus?.answer(frame.request, .done(accepted: true))
        }
        _ = alone.answer(bus, .phones(.setPhones([pixel])))
        let message = LocalMessage.phones(.sendToPhone(.page(Self.page), to: "Pixel"))
        #expect(alone.answer(alone.script(), message) == .phones(.handedToPhone(pixel)))
    }

    @Test func nothingIsHandedOverWhileAdvertisingIsOff() throws {
        answering(.done(accepted: true))
        let off = PolicyChange(PolicySubject(.advertising), isOff: true)
        _ = laptop.answer(laptop.script(), .policy(.setPolicy(off)))
        #expect(send()?.problem?.code == .notAllowed)
        #expect(shared.isEmpty)
    }

    @Test func eachFailureNamesItsCause() throws {
        answering(.failure(Failure(.notAllowed, "KDE Connect's plugin for sharing is off for Pixel")))
        #expect(send()?.problem?.reason == "KDE Connect's plugin for sharing is off for Pixel")
        answering(.status(.getStatus))
        #expect(send()?.problem?.code == .malformed)

        bus.onFrame = nil
        let sender = laptop.script()
        let late = sender.request(.phones(.sendToPhone(.page(Self.page), to: "Pixel")))
        laptop.time.advance(by: PhonesService.handOver + .seconds(1))
        #expect(sender.answers(to: late).last?.problem?.reason == "KDE Connect did not answer")
        let cut = sender.request(.phones(.sendToPhone(.page(Self.page), to: "Pixel")))
        laptop.settle()
        bus.close()
        laptop.settle()
        #expect(sender.answers(to: cut).last?.problem?.code == .appGone)
    }

    @Test func itemsUnderWayHaveALimit() throws {
        let sender = laptop.script()
        let requests = (0...PhonesService.sharesUnderWay).map { _ in
            sender.request(.phones(.sendToPhone(.page(Self.page), to: "Pixel")))
        }
        laptop.settle()
        #expect(sender.answers(to: requests[PhonesService.sharesUnderWay]).last?.problem?.code == .limitReached)
        #expect(shared.count == PhonesService.sharesUnderWay)
        laptop.time.advance(by: PhonesService.handOver)
        answering(.done(accepted: true))
        #expect(send() == .phones(.handedToPhone(pixel)))
    }

    @Test func aClientWatchesFewLists() throws {
        let watcher = laptop.script()
        for _ in 0..<WatchedContent<[Phone]>.maximumWatches {
            #expect(laptop.answer(watcher, .phones(.listPhones(watch: true)))?.problem == nil)
        }
        #expect(laptop.answer(watcher, .phones(.listPhones(watch: true)))?.problem?.code == .limitReached)
        #expect(laptop.answer(watcher, .phones(.listPhones()))?.problem == nil)
    }
}

extension LocalMessage {
    fileprivate var problem: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
