// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows N03: if both an app and the browser could continue the pages of a host, the user chooses.
@Suite struct WebChoicesServiceTests {
    private let web: WebSimulation
    private let reader: InstalledApp
    private let origin: WebProgram

    init() throws {
        web = try WebSimulation()
        reader = try web.install("reader", on: web.desktop)
        try web.approve([reader.bundle], for: WebSimulation.site)
        origin = web.browse()
    }

    @discardableResult
    private func choose(_ taker: WebTaker?, for host: WebHost = WebSimulation.site) throws -> [WebChoice] {
        guard
            case .webChoices(.webChoices(let choices)) = try web.simulation.ask(
                web.desktop, .webChoices(.chooseForHost(host, taker)))
        else {
            return []
        }
        return choices
    }

    private var choices: LocalMessage {
        get throws { try web.simulation.ask(web.desktop, .webChoices(.listWebChoices)) }
    }

    @Test func choiceIsRememberedOverARestart() throws {
        #expect(web.listed(origin)?.target == .app(reader.bundle))
        #expect(try choose(.browser) == [WebChoice(WebSimulation.site, .browser)])
        #expect(web.listed(origin)?.target == .webPage)
        web.desktop.crash()
        try web.desktop.start()
        web.simulation.time.advance(by: .seconds(10))
        #expect(try choices == .webChoices(.webChoices([WebChoice(WebSimulation.site, .browser)])))
        #expect(web.listed(origin)?.target == .webPage)
        #expect(try web.go(on: origin)?.get().how == .state(WebSimulation.page()))
        #expect(try choose(nil).isEmpty)
        #expect(web.listed(origin)?.target == .app(reader.bundle))
    }

    /// Only a tool of the user may set a choice.
    @Test func browserDoesNotChooseForItsUser() throws {
        let firefox = WebProgram("Firefox", on: web.desktop)
        let request = firefox.client.request(.webChoices(.chooseForHost(WebSimulation.site, .browser)))
        web.settle()
        #expect(firefox.client.answers(to: request) == [.failure(Failure(.notAllowed, ""))])
        #expect(web.listed(origin)?.target == .app(reader.bundle))
    }

    @Test func oneBrowserRequestIsNotStoredAsAChoice() throws {
        #expect(try web.go(on: origin, inBrowser: true)?.get().how == .state(WebSimulation.page()))
        #expect(try choices == .webChoices(.webChoices([])))
        #expect(web.listed(origin)?.target == .app(reader.bundle))
    }

    @Test func onlyAnAppThatCouldTakeItIsChosen() throws {
        let other = try WebHost("shop.example.org")
        #expect(throws: Failure(.notAllowed, "")) { try choose(.app(reader.bundle), for: other) }
        #expect(throws: Failure(.notAllowed, "")) { try choose(.app(BundleID("com.example.absent"))) }
        #expect(try choices == .webChoices(.webChoices([])))
    }

    /// The choice is kept without the approval; the rules decide in the meantime.
    @Test func choiceOfANoLongerApprovedAppIsSkipped() throws {
        try choose(.app(reader.bundle))
        try web.approve([], for: WebSimulation.site)
        #expect(web.listed(origin)?.target == .webPage)
        try web.approve([reader.bundle], for: WebSimulation.site)
        #expect(web.listed(origin)?.target == .app(reader.bundle))
    }

    /// A choice is reported only once it is on disk.
    @Test func choiceThatCannotBeWrittenFails() throws {
        web.desktop.store.writeFailure = Failure(.stateNotWritable, "no space left")
        #expect(throws: Failure(.stateNotWritable, "")) { try choose(.browser) }
        #expect(web.listed(origin)?.target == .app(reader.bundle))
    }

    @Test func damagedChoicesAreIgnoredAtStart() throws {
        try choose(.browser)
        web.desktop.crash()
        web.desktop.store.files[WebChoicesService.file] = Array("handoff-web-choices 1\nrubbish".utf8)
        try web.desktop.start()
        web.simulation.time.advance(by: .seconds(10))
        #expect(try choices == .webChoices(.webChoices([])))
        #expect(web.listed(origin)?.target == .app(reader.bundle))
        try choose(.browser)
        #expect(web.listed(origin)?.target == .webPage)
    }
}
