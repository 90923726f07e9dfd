// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

/// The table of declarations, with names in place of closures. Shows U02, U03.
@Suite struct HookTableTests {
    private var table = HookTable<String, String, String>()

    private func advertised() -> [String]? { table.advertised.map { [$0.type] + $0.updates } }

    private func actions(for event: ExternalEvent) -> [String] {
        table.views(handling: event).compactMap { view in
            switch table.action(of: view, for: event) {
            case .activity(let action): action
            case .url(let action, let url): "\(action) \(url.absoluteString)"
            case nil: nil
            }
        }
    }

    private func event(_ type: String, about subject: String? = nil) -> ExternalEvent {
        ExternalEvent(activityType: type, targetContentIdentifier: subject, webpageURL: nil)
    }

    // MARK: Advertising

    @Test func emptyTableAdvertisesNothing() { #expect(advertised() == nil) }

    // Shows U01.
    @Test mutating func mostRecentlyActivatedIsAdvertised() {
        table.advertise("browsing", by: "list", update: "list")
        table.advertise("editing", by: "item", update: "item")
        #expect(advertised() == ["editing", "item"])
        // Declaring it again does not make it the newest.
        table.advertise("browsing", by: "list", update: "longer list")
        #expect(advertised() == ["editing", "item"])
        table.advertise("editing", by: "item", update: nil)
        #expect(advertised() == ["browsing", "longer list"])
        table.advertise("editing", by: "item", update: "item")
        #expect(advertised() == ["editing", "item"])
    }

    // Shows U01.
    @Test mutating func viewsThatAdvertiseOneTypeShareIt() {
        table.advertise("editing", by: "text", update: "text")
        table.advertise("browsing", by: "list", update: "list")
        table.advertise("editing", by: "tags", update: "tags")
        #expect(advertised() == ["editing", "text", "tags"])
        table.advertise("editing", by: "text", update: nil)
        #expect(advertised() == ["editing", "tags"])
    }

    @Test mutating func aViewsLaterDeclarationReplacesItsEarlierDeclaration() {
        table.advertise("editing", by: "item", update: "old")
        table.advertise("editing", by: "item", update: "new")
        #expect(advertised() == ["editing", "new"])
        table.continue("editing", in: "item", action: "old")
        table.continue("editing", in: "item", action: "new")
        #expect(actions(for: event("editing")) == ["new"])
        table.openURLs(in: "item", action: "old")
        table.openURLs(in: "item", action: "new")
        #expect(actions(for: ExternalEvent(URL(filePath: "/a"))) == ["new file:///a"])
        table.handleEvents(in: "item", preferring: ["old"], allowing: [])
        table.handleEvents(in: "item", preferring: ["new"], allowing: [])
        #expect(table.claim(on: event("editing", about: "old")) == .refuses)
        #expect(table.claim(on: event("editing", about: "new")) == .prefers)
    }

    @Test mutating func endingAnInactiveActivityIsAllowed() {
        table.advertise("editing", by: "item", update: nil)
        #expect(advertised() == nil)
    }

    // MARK: Events

    @Test mutating func allViewsWithAHandlerForTheTypeAreAskedInTheOrderOfTheirDeclaring() {
        table.continue("editing", in: "first", action: "1")
        table.continue("browsing", in: "first", action: "2")
        table.continue("editing", in: "second", action: "3")
        table.continue("editing", in: "first", action: "4")
        #expect(actions(for: event("editing")) == ["4", "3"])
        #expect(actions(for: event("browsing")) == ["2"])
        #expect(actions(for: event("reading")).isEmpty)
        #expect(table.handles(activityType: "editing"))
        #expect(!table.handles(activityType: "reading"))
    }

    // Shows U04.
    @Test mutating func aPageComesToThoseWhoOpenURLs() {
        table.continue("editing", in: "first", action: "1")
        #expect(!table.handles(activityType: NSUserActivityTypeBrowsingWeb))
        table.openURLs(in: "second", action: "open")
        #expect(table.handles(activityType: NSUserActivityTypeBrowsingWeb))
        let page = ExternalEvent(
            activityType: NSUserActivityTypeBrowsingWeb, targetContentIdentifier: nil,
            webpageURL: URL(string: "https://example.com/7"))
        #expect(actions(for: page) == ["open https://example.com/7"])
        // A page without a URL.
        #expect(actions(for: event(NSUserActivityTypeBrowsingWeb)).isEmpty)
    }

    @Test mutating func claimsOfAViewApplyToItsWindow() {
        #expect(table.claim(on: event("editing", about: "note-7")) == .unspecified)
        table.handleEvents(in: "first", preferring: [], allowing: ["note"])
        #expect(table.claim(on: event("editing", about: "note-7")) == .allows)
        table.handleEvents(in: "second", preferring: ["note-7"], allowing: [])
        #expect(table.claim(on: event("editing", about: "note-7")) == .prefers)
        #expect(table.claim(on: event("editing", about: "note-8")) == .allows)
        #expect(table.claim(on: event("editing", about: "letter")) == .refuses)
        #expect(table.claim(on: event("editing")) == .refuses)
        table.handleEvents(in: "second", preferring: [], allowing: ["*"])
        #expect(table.claim(on: event("editing")) == .allows)
    }

    // MARK: Moving

    @Test mutating func removedViewTakesItsDeclarationsAlong() {
        for view in ["first", "second"] {
            table.advertise("editing", by: view, update: view)
            table.continue("editing", in: view, action: view)
            table.openURLs(in: view, action: view)
            table.handleEvents(in: view, preferring: [view], allowing: [])
        }
        let taken = table.take { $0 == "second" }
        #expect(advertised() == ["editing", "first"])
        #expect(actions(for: event("editing")) == ["first"])
        #expect(table.claim(on: event("editing", about: "second")) == .refuses)
        #expect(table.action(of: "second", for: event("editing")) == nil)
        _ = table.take { $0 == "first" }
        #expect(advertised() == nil)
        #expect(table.claim(on: event("editing", about: "second")) == .unspecified)
        // In another table it is unchanged.
        table.add(taken)
        #expect(advertised() == ["editing", "second"])
        #expect(actions(for: ExternalEvent(URL(filePath: "/a"))) == ["second file:///a"])
        #expect(table.claim(on: event("editing", about: "second")) == .prefers)
    }
}
