// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows U03.
@Suite struct EventConditionsTests {
    @Test(
        arguments: [
            // Texts, the event's subject, whether they match.
            (["note-7"], "note-7", true),
            (["note"], "note-7", true),
            (["note-7"], "note", false),
            (["7"], "note-7", true),
            (["NOTE"], "a note", true),
            (["résumé"], "Resume of a meeting", true),
            (["resume"], "mon résumé", true),
            (["cafe"], "cafe\u{301}", true),
            (["example.com/list"], "https://example.com/list?page=2", true),
            (["letter", "note"], "note-7", true),
            (["letter", "draft"], "note-7", false),
            // An empty text and an empty set match nothing.
            ([""], "note-7", false),
            (["", "note"], "note-7", true),
            ([], "note-7", false),
            ([""], "", false),
            (["*"], "note-7", true),
            (["*"], "", true),
            (["*", "letter"], "note-7", true),
            // An ordinary text, not a pattern.
            (["note*"], "note-7", false),
        ] as [(Set<String>, String, Bool)])
    func textsAreLookedForInWhatTheEventIsAbout(texts: Set<String>, subject: String, isMatch: Bool) {
        #expect(EventConditions(texts: texts).match(subject) == isMatch)
    }

    @Test func eventWithoutATargetMatchesOnlyTheAsterisk() {
        #expect(EventConditions(texts: ["*"]).match(nil))
        #expect(!EventConditions(texts: ["note", ""]).match(nil))
    }

    private let page = URL(string: "https://example.com/list")

    @Test func anActivityIsAboutItsTargetOrElseItsPage() {
        let type = "com.example.notes.editing"
        let both = ExternalEvent(activityType: type, targetContentIdentifier: "note-7", webpageURL: page)
        #expect(both.subject == "note-7")
        #expect(both.kind == .activity(type: type))
        let paged = ExternalEvent(activityType: type, targetContentIdentifier: nil, webpageURL: page)
        #expect(paged.subject == "https://example.com/list")
        #expect(ExternalEvent(activityType: type, targetContentIdentifier: nil, webpageURL: nil).subject == nil)
        #expect(ExternalEvent(activityType: type, targetContentIdentifier: "", webpageURL: page).subject == "")
    }

    // Shows U04.
    @Test func aWebPageIsItsURL() throws {
        let page = try #require(page)
        let event = ExternalEvent(
            activityType: NSUserActivityTypeBrowsingWeb, targetContentIdentifier: "note-7", webpageURL: page)
        #expect(event.kind == .url(page))
        #expect(event.subject == "https://example.com/list")
        let empty = ExternalEvent(
            activityType: NSUserActivityTypeBrowsingWeb, targetContentIdentifier: nil, webpageURL: nil)
        #expect(empty.kind == .activity(type: NSUserActivityTypeBrowsingWeb))
    }
}
