// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffClient
import HandoffCore
import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffDesktop

@Suite struct NoticeMessageTests {
    private static let gnome = ServerProfile(name: "gnome-shell", capabilities: ["actions", "body", "body-markup"])

    private func message(
        _ title: String, _ subject: Notice.Subject = .offer, for server: ServerProfile = gnome, isQuiet: Bool = false,
        _ words: LocalizedStrings = LocalizedStrings(.english)
    ) -> NoticeMessage {
        NoticeMessage(
            Notice(Articles.article(1, title), subject, isQuiet: isQuiet), for: server, icon: "icon",
            words)
    }

    // Shows B15.
    @Test func itHasTitleAppDeviceIconAndContinue() {
        let message = message("Weather")
        #expect(message.summary == "Weather")
        #expect(message.text == "Reader on Anna&apos;s laptop")
        #expect(message.actions == ["default", "Continue", "continue", "Continue"])
        #expect(message.hints["image-path"] == .string("icon"))
        #expect(message.body(replacing: 3).map(\.type.code) == ["s", "u", "s", "s", "s", "as", "a{sv}", "i"])
    }

    /// emersion/mako#76: invalid markup, because to Swift a sign and its combining mark are one character.
    @Test(arguments: ["\u{301}", "\u{FE0F}", "\u{20E3}", "\u{200D}"])
    func markupBeforeACombiningMarkIsTextToo(mark: String) {
        var article = Articles.article(1)
        article.deviceName = DisplayText(cleaning: "<\(mark)b>&\(mark)amp;")
        let body = NoticeMessage(Notice(article), for: Self.gnome, icon: nil, LocalizedStrings(.english)).text
        let signs = body.unicodeScalars.filter { ["&", "<", ">"].contains($0) }
        #expect(signs.count == 3 && signs.allSatisfy { $0 == "&" }, "\(body)")
    }

    /// feditext/feditext#342.
    @Test func titleFromRightToLeftStaysBeforeItsPlaceInOneLine() {
        let place = "Reader on \(Articles.article(1).deviceName)"
        let line = ServerProfile(name: "line", capabilities: [])
        let title = "\u{5E9}\u{5DC}\u{5D5}\u{5DD} 2"
        #expect(message(title, for: line).summary.hasPrefix("\u{2068}\(title)\u{2069} – \u{2068}\(place)"))
    }

    /// Text from others is never markup.
    @Test func markupIsTextWhereBodiesAreMarkup() {
        var article = Articles.article(1)
        article.deviceName = DisplayText(cleaning: "<a href=\"x\">&</a>\u{202E}\n\u{1B}[1m'")
        let body = NoticeMessage(Notice(article), for: Self.gnome, icon: nil, LocalizedStrings(.english)).text
        #expect(body == "Reader on &lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt; [1m&apos;")
        let plain = ServerProfile(name: "plain", capabilities: ["actions", "body"])
        #expect(
            NoticeMessage(Notice(article), for: plain, icon: nil, LocalizedStrings(.english)).text.hasPrefix(
                "Reader on <a href=\"x\">&</a>"))
    }

    @Test func noticeWithoutButtonsExplainsHowToContinue() {
        let dunst = ServerProfile(name: "dunst", capabilities: ["actions", "body", "body-markup"])
        #expect(message("Weather", for: dunst).text.hasSuffix("\nMiddle-click to continue here"))
        let mako = ServerProfile(name: "mako", capabilities: ["actions", "body", "body-markup"])
        #expect(message("Weather", for: mako).text.hasSuffix("\nClick to continue here"))
        let fnott = ServerProfile(name: "fnott", capabilities: ["actions", "body"])
        #expect(message("Weather", for: fnott).text.hasSuffix("in a terminal: handoff activity continue"))
        let silent = ServerProfile(name: "silent", capabilities: ["body"])
        #expect(
            message("Weather", for: silent).text.hasSuffix(
                "\nTo continue here, run this in a terminal: handoff activity continue"))
        #expect(message("Weather", for: silent).actions.isEmpty)
    }

    @Test func aServerThatDrawsAButtonForTheWholeGetsOneButton() {
        let xfce = ServerProfile(name: "Xfce Notify Daemon", capabilities: ["actions", "body", "body-markup"])
        #expect(message("Weather", for: xfce).actions == ["continue", "Continue"])
    }

    @Test func aServerWithoutBodiesGetsAllInOneLine() {
        let small = ServerProfile(name: "small", capabilities: ["actions"])
        #expect(message("Weather", for: small).summary == "Weather – Reader on Anna's laptop")
        #expect(message("Weather", for: small).text.isEmpty)
    }

    @Test func firstNotificationOffersFewerWhereThereAreButtons() {
        var notice = Notice(Articles.article(1))
        notice.isFirst = true
        func actions(of server: ServerProfile) -> [String] {
            NoticeMessage(notice, for: server, icon: nil, LocalizedStrings(.english)).actions
        }
        #expect(actions(of: Self.gnome).suffix(2) == ["fewer", "Fewer of These"])
        let dunst = ServerProfile(name: "dunst", capabilities: ["actions", "body"])
        #expect(!actions(of: dunst).contains("fewer"))
        #expect(!message("Weather").actions.contains("fewer"))
    }

    @Test func sentActivityIsKeptEvenIfQuiet() {
        var article = Articles.article(1)
        article.isSent = true
        let hints = NoticeMessage(
            Notice(article, isQuiet: true), for: Self.gnome, icon: nil, LocalizedStrings(.english)
        ).hints
        #expect(hints["urgency"] == .byte(1))
        #expect(hints["transient"] == nil)
        #expect(hints["suppress-sound"] == .boolean(true))
    }

    @Test func quietNoticesAreSilentAndTransient() {
        let hints = message("Weather", isQuiet: true).hints
        #expect(hints["urgency"] == .byte(0))
        #expect(hints["transient"] == .boolean(true))
        #expect(hints["suppress-sound"] == .boolean(true))
        #expect(message("Weather").hints["suppress-sound"] == nil)
    }

    // Shows L01: six languages.
    @Test func itSpeaksTheLanguageOfItsUser() {
        let lost = Notice.Subject.failure(Failure(.deviceLost, "the connection ended"), mayBeRetried: true)
        let german = message("Wetter", lost, LocalizedStrings(.german))
        #expect(german.summary == "„Wetter“ konnte nicht fortgesetzt werden")
        #expect(german.text.hasPrefix("Reader auf Anna&apos;s laptop\n"))
        #expect(
            german.text.hasSuffix("Prüfe, ob es eingeschaltet und im selben Netzwerk ist, und versuch es erneut."))
        #expect(german.actions.last == "Erneut versuchen")
        let said = Language.allCases.map { message("Wetter", lost, LocalizedStrings($0)) }
        for part in [Set(said.map(\.summary)), Set(said.map(\.text)), Set(said.map { $0.actions.last ?? "" })] {
            #expect(part.count == Language.allCases.count)
        }
        let noDaemon = message("Weather", .failure(.noDaemon, mayBeRetried: false)).text
        #expect(noDaemon.contains("Handoff is not running."))
    }

    @Test(arguments: Failure.Code.allCases)
    func everyFailureNamesARemedyOrAReason(code: Failure.Code) {
        let text = message("Weather", .failure(Failure(code, "why it failed"), mayBeRetried: false)).text
        #expect(text.count > 10)
        #expect(message("Weather", .failure(Failure(code, "why"), mayBeRetried: false)).actions.isEmpty)
    }
}
