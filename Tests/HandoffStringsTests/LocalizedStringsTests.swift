// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffStrings

// Shows L10: six languages.
@Suite struct WordsTests {
    @Test func valuesComeIntoTheirPlaces() {
        let strings = LocalizedStrings(.english)
        #expect(strings(.continueLabel, "Letter", "laptop") == "Continue “Letter” from laptop")
        #expect(LocalizedStrings(.german)(.continueLabel, "Brief", "laptop") == "„Brief“ von laptop hier fortsetzen")
    }

    @Test func aValueThatLooksLikeAPlaceStaysAsItIs() {
        #expect(LocalizedStrings(.english)(.continueLabel, "$2 $1 $", "laptop") == "Continue “$2 $1 $” from laptop")
        #expect(LocalizedStrings(.english)(.phaseDocument, "a", "50") == "Fetching “a”, 50%")
    }

    @Test func placeholderWithoutValueIsKept() { #expect(LocalizedStrings(.english)(.joined) == "“$1” has joined.") }

    @Test func noLanguageIsEnglishUnderAnotherName() {
        for language in Language.allCases where language != .english {
            let same = Word.allCases.filter { LocalizedStrings(language)[$0] == LocalizedStrings(.english)[$0] }
            // Strings that two languages share: Code, Browser, Apps, No.
            #expect(same.count < 10, "\(language): \(same)")
        }
    }

    @Test(arguments: [
        (["LANG": "de_AT.UTF-8"], Language.german), (["LANG": "fr"], .french), (["LANG": "ja_JP.UTF-8"], .english),
        ([:], .english), (["LANG": "it_IT.UTF-8", "LC_MESSAGES": "es_MX.UTF-8"], .spanish),
        (["LC_ALL": "it_CH@euro", "LC_MESSAGES": "es_MX.UTF-8"], .italian),
        (["LANG": "en_US.UTF-8", "LANGUAGE": "ja:de_DE:fr"], .german),
        // In simplified characters only.
        (["LANG": "zh_CN.UTF-8"], .chinese), (["LANG": "zh"], .chinese), (["LANG": "zh-Hans-HK"], .chinese),
        (["LANG": "zh_TW.UTF-8"], .english), (["LANG": "zh_CN.UTF-8", "LANGUAGE": "zh_Hant:fr"], .french),
        // The C locale has no languages, whatever the other variables are.
        (["LANG": "C.UTF-8", "LANGUAGE": "de"], .english), (["LC_ALL": "C", "LANG": "de_DE"], .english),
    ])
    func theLanguageIsChosenAsGettextDoes(environment: [String: String], language: Language) {
        #expect(Language.preferred(in: environment) == language)
    }

    @Test func agesAreInWholeUnits() {
        let strings = LocalizedStrings(.english)
        let now = WallTime(milliseconds: 1_000_000_000)
        func age(_ duration: Duration) -> String { strings.age(of: now.advanced(by: .zero - duration), at: now) }
        #expect(age(.seconds(59)) == "just now")
        #expect(age(.seconds(60)) == "1 min ago")
        #expect(age(.seconds(3599)) == "59 min ago")
        #expect(age(.seconds(7300)) == "2 h ago")
        #expect(age(.seconds(86_400)) == "1 day ago")
        #expect(age(.seconds(86_400 * 2 - 1)) == "1 day ago")
        #expect(age(.seconds(86_400 * 2)) == "2 days ago")
        #expect(age(.seconds(-30)) == "just now")
        #expect(strings.age(of: WallTime(milliseconds: .min), at: now).hasSuffix("days ago"))
    }

    /// Every failure needs advice, except those listed here.
    @Test func aFailureSaysWhatToDo() {
        let strings = LocalizedStrings(.english)
        let helpless = Failure.Code.allCases.filter { strings.trouble(Failure($0, "a reason")).advice == nil }
        #expect(
            Set(helpless) == [.payloadTooLarge, .cancelled, .documentGone, .notAllowed, .limitReached, .filesOnlyThere])
        #expect(
            strings.trouble(Failure(.connectionUnavailable, "")).text
                == "The other device cannot be reached. Check that it is on and on the same network, then try again.")
    }

    @Test(arguments: Language.allCases) func noReasonInEnglishIsShown(language: Language) {
        for code in Failure.Code.allCases {
            let text = LocalizedStrings(language).trouble(Failure(code, "a reason")).text
            #expect(!text.isEmpty && !text.contains("a reason"))
        }
    }

    private func offer(title: String?, app: String, hasPage: Bool = false) throws -> Offer {
        Offer(
            activity: ActivityID(uncheckedBytes: [UInt8](repeating: 1, count: ActivityID.byteCount)),
            type: try ActivityType("com.example.notes"), title: title.map { DisplayText(cleaning: $0) },
            appName: DisplayText(cleaning: app),
            team: .developer(
                DeveloperTeam(
                    id: try TeamID("A1B2C3D4E5"), key: TeamFingerprint(uncheckedBytes: [UInt8](repeating: 7, count: 32))
                )),
            hasWebPage: hasPage, since: WallTime(milliseconds: 0))
    }

    @Test func detailsAreAppDeviceAndAge() throws {
        let strings = LocalizedStrings(.english)
        let soon = WallTime(milliseconds: 300_000)
        let letter = try offer(title: "Letter", app: "Notes")
        #expect(strings.details(of: letter, on: "laptop", at: soon) == "Notes · laptop · 5 min ago")
        #expect(strings.details(of: letter, on: nil, at: soon) == "Notes · 5 min ago")
        #expect(
            strings.details(of: try offer(title: nil, app: "Notes"), on: "laptop", at: soon) == "laptop · 5 min ago")
    }

    @Test func untitledActivityIsNeverWithoutName() throws {
        let strings = LocalizedStrings(.english)
        #expect(strings.title(of: try offer(title: "", app: "Notes")) == "Notes")
        #expect(strings.title(of: try offer(title: nil, app: "", hasPage: true)) == "A web page")
        #expect(strings.title(of: try offer(title: nil, app: "")) == "Untitled")
    }

    /// Otherwise an Arabic name would turn the whole line round.
    @Test func rightToLeftPartsKeepTheirPlaces() {
        let notes = "ملاحظات"
        #expect(
            LocalizedStrings.line([notes, "laptop"]) == "\u{2068}\(notes)\u{2069} · \u{2068}laptop\u{2069}")
        #expect(LocalizedStrings.line(["Notes", nil, "", "laptop"]) == "Notes · laptop")
        #expect(LocalizedStrings(.english)(.continuedIn, notes) == "Continued in \u{2068}\(notes)\u{2069}.")
        #expect(LocalizedStrings(.english)(.continuedIn, "Notes") == "Continued in Notes.")
    }
}
