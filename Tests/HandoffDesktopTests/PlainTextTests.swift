// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// KRunner shows long texts in tooltips, where Qt guesses whether they are markup.
@Suite(.timeLimit(.minutes(1))) struct PlainTextTests {
    /// `Qt::mightBeRichText` of Qt 6.
    private static func mightBeRichText(_ text: String) -> Bool {
        var rest = text[...].drop(while: \.isWhitespace)
        if rest.hasPrefix("<?xml") || rest.lowercased().hasPrefix("<!doc") { return true }
        while let first = rest.first, first != "<", first != "\n" {
            if rest.unicodeScalars.starts(with: "&lt;".unicodeScalars) { return true }
            rest = rest.dropFirst()
        }
        guard rest.first == "<", let close = rest.firstIndex(of: ">") else { return false }
        var tag = ""
        // By scalars: a joiner is not part of a name.
        for scalar in rest[..<close].unicodeScalars.dropFirst() {
            if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
                tag.unicodeScalars.append(scalar)
            } else if scalar.properties.isWhitespace || scalar == "/" {
                if !tag.isEmpty { break }
            } else if !tag.isEmpty || scalar != "!" {
                return false
            }
        }
        return !tag.isEmpty
    }

    static let texts = [
        "<img src=\"http://tracker.example/x.png\">", "Anna's <b>laptop</b>", "a &lt;b&gt; c", "<!DOCTYPE html>",
        "<?xml version=\"1.0\"?><a>", "<table>", "  <a href=x>y</a>", "<br/>", "< b >", "<\u{301}b>",
    ]

    @Test(arguments: texts) func noTextIsTakenForMarkup(text: String) {
        #expect(!Self.mightBeRichText(text.neverMarkup))
        #expect(text.neverMarkup.replacing("\u{2060}", with: "") == text, "the reader sees the same")
    }

    @Test func aTextWithoutSignsStaysAsItIs() {
        #expect("Notes · Anna's laptop > all".neverMarkup == "Notes · Anna's laptop > all")
    }

    @Test func runnerResultsAreNeverMarkup() async throws {
        try await withPrivateBus { fixture, bus in
            let offer = try ListedActivity.sample(1, "List <b>now</b>", on: "<img src=x>")
            let runner = try await fixture.begin(at: bus.address, ScriptedDaemon(offering: [offer]))
            let found = try await runner.asks(
                RunnerSearch.name, RunnerSearch.path, "org.kde.krunner1", "Match", [.string("list")],
                isolation: fixture)
            let match = try #require(found[0]?.elements?.first?.elements)
            let subtext = try #require(match.last?.properties?["subtext"]?.text)
            #expect(subtext.contains("img src"))
            let text = try #require(match[1].text)
            #expect(!Self.mightBeRichText(subtext) && !Self.mightBeRichText(text))
        }
    }
}
