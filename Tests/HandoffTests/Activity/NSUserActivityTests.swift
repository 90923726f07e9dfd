// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffSystem
import HandoffWire
import Testing

@testable import Handoff

/// The object without a daemon.
@Suite struct NSUserActivityTests {
    let laptop: Laptop

    init() throws { laptop = try Laptop(startingDaemon: false) }

    private func state(of activity: NSUserActivity) throws -> ActivityState {
        try activity.record.state.withLock { $0.content }.state(of: activity.record.type)
    }

    // Shows A01, A03, A21, A25, A26, A27, A28.
    @Test func newActivityIsEligibleAndEmpty() {
        let activity = laptop.activity("com.example.reader.reading")
        #expect(activity.activityType == "com.example.reader.reading")
        #expect(activity.title == nil)
        #expect(activity.userInfo?.isEmpty == true)
        #expect(activity.webpageURL == nil)
        #expect(activity.referrerURL == nil)
        #expect(activity.expirationDate == nil)
        #expect(activity.requiredUserInfoKeys == nil)
        #expect(activity.keywords.isEmpty)
        #expect(activity.delegate == nil)
        #expect(activity.needsSave)
        #expect(!activity.supportsContinuationStreams)
        #expect(activity.isEligibleForHandoff)
        #expect(!activity.isEligibleForSearch)
        #expect(!activity.isEligibleForPublicIndexing)
        #expect(!activity.isEligibleForPrediction)
    }

    // Shows A04, A16.
    @Test func allOfItArrives() throws {
        let activity = laptop.activity()
        activity.title = "Chapter 3"
        activity.userInfo = ["page": 41]
        activity.webpageURL = URL(string: "https://example.com/a?b=%20c#d")
        activity.referrerURL = URL(string: "https://example.com/from")
        activity.expirationDate = Date(timeIntervalSinceReferenceDate: 1e9)
        activity.keywords = ["one", "two"]
        activity.requiredUserInfoKeys = ["page"]
        activity.targetContentIdentifier = "book-1"
        activity.persistentIdentifier = "saved-1"
        activity.supportsContinuationStreams = true
        let arrived = NSUserActivity(
            type: activity.record.type, content: try ActivityContent(try state(of: activity)), center: laptop.center)
        #expect(arrived.activityType == activity.activityType)
        #expect(arrived.title == "Chapter 3")
        #expect(arrived.userInfo as? [String: Int] == ["page": 41])
        #expect(arrived.webpageURL == activity.webpageURL)
        #expect(arrived.referrerURL == activity.referrerURL)
        #expect(arrived.expirationDate == activity.expirationDate)
        #expect(arrived.keywords == ["one", "two"])
        #expect(arrived.requiredUserInfoKeys == ["page"])
        #expect(arrived.targetContentIdentifier == "book-1")
        #expect(arrived.persistentIdentifier == "saved-1")
        #expect(arrived.supportsContinuationStreams)
    }

    // Shows A14.
    @Test(arguments: ["http://example.com", "HTTPS://Example.com/a%20b?q=ä#frag", "https://[::1]:8080/"])
    func webPageIsKeptByteForByte(text: String) throws {
        let url = try #require(URL(string: text))
        let activity = laptop.activity()
        activity.webpageURL = url
        #expect(activity.webpageURL?.absoluteString == url.absoluteString)
        #expect(try state(of: activity).webpageURL == url.absoluteString)
    }

    // Shows A15.
    @Test(arguments: [
        ("file:///etc/passwd", "file"), ("javascript:alert(1)", "javascript"), ("ftp://a", "ftp"), ("/only/a/path", ""),
    ])
    func otherSchemeIsRefusedWithItsSentence(text: String, scheme: String) throws {
        let activity = laptop.activity()
        activity.webpageURL = URL(string: "https://example.com")
        let url = URL(string: text)
        let error = #expect(throws: NSUserActivity.InvalidValueError.self) { try activity.setWebpageURL(url) }
        #expect(error?.code == .schemeNotAllowed)
        #expect(error?.description == "NSUserActivity.webpageURL scheme \"\(scheme)\" is not allowed.")
        #expect(activity.webpageURL == URL(string: "https://example.com"))
    }

    @Test func webPageOverTheLimitIsRefused() {
        let url = URL(string: "https://example.com/" + String(repeating: "a", count: Limits.urlBytes))
        let error = #expect(throws: NSUserActivity.InvalidValueError.self) { try laptop.activity().setWebpageURL(url) }
        #expect(error?.code == .urlTooLong)
    }

    @Test func webPageCanBeTakenAway() throws {
        let activity = laptop.activity()
        try activity.setWebpageURL(URL(string: "https://example.com"))
        activity.webpageURL = nil
        #expect(activity.webpageURL == nil)
    }

    /// Shows A02.
    @Test func firstDeclaredTypeIsTheDefault() throws {
        let contents = "\(try #require(laptop.locations.root))/Reader.app/Contents"
        try FileManager.default.createDirectory(atPath: contents, withIntermediateDirectories: true)
        let plist = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.reader</string>
            <key>NSUserActivityTypes</key>
            <array><string>com.example.reader.reading</string><string>com.example.reader.searching</string></array>
            </dict></plist>
            """
        try Data(plist.utf8).write(to: URL(filePath: contents + "/Info.plist"))
        let bundle = try AppBundle.containing(executable: contents + "/Linux/Reader")
        let activity = NSUserActivity(declaredBy: bundle, center: laptop.center)
        #expect(activity.activityType == "com.example.reader.reading")
    }

    /// Shows A39.
    @Test func equalIsTheSameObject() throws {
        let activity = laptop.activity(title: "one")
        let twin = laptop.activity(title: "one")
        #expect(activity == activity)
        #expect(activity != twin)
        #expect(activity.hash == activity.hash)
        #expect(Set([activity, twin, activity]).count == 2)
        #expect(activity.isEqual(activity as Any))
        #expect(!activity.isEqual("one"))
        #expect(activity.copy() as? NSUserActivity === activity)
    }

    /// Shows A39.
    @Test func descriptionSaysWhatItIsAndNoState() {
        let activity = laptop.activity(title: "Chapter 3\n\u{202E}evil")
        activity.userInfo = ["page": "secret value", 5: 1]
        #expect(activity.description.hasPrefix("<NSUserActivity: 0x"))
        #expect(activity.description.contains("com.example.reader.reading"))
        #expect(activity.description.contains("\"Chapter 3 evil\""))
        #expect(!activity.description.contains("current"))
        #expect(!activity.description.contains("page"))
        activity.becomeCurrent()
        activity.targetContentIdentifier = "book-1"
        activity.isEligibleForSearch = true
        #expect(activity.description.contains("current"))
        #expect("\(activity)" == activity.description)
        let debug = activity.debugDescription
        #expect(debug.contains("[(not a text), page]"))
        #expect(debug.contains("book-1"))
        #expect(debug.contains("flags: [needsSave, handoff, search]"))
        #expect(!debug.contains("secret value"))
    }

    /// Shows A33, A34: a clear error as long as streams are missing.
    @Test func streamsAreNotThereYet() async throws {
        let activity = laptop.activity()
        let error = await #expect(throws: CocoaError.self) { _ = try await activity.continuationStreams() }
        #expect(error?.code == .featureUnsupported)
        let answers = Mailbox<CocoaError.Code?>()
        activity.getContinuationStreams { input, output, error in
            #expect(input == nil && output == nil)
            answers.post((error as? CocoaError)?.code)
        }
        #expect(try await answers.next() == .featureUnsupported)
    }

    @Test func longTitleIsCutAtACharacter() throws {
        let activity = laptop.activity()
        activity.title = "a" + String(repeating: "👩‍👩‍👧", count: 1000)
        let title = try #require(try state(of: activity).title)
        #expect(title.utf8.count <= Limits.titleBytes)
        #expect(title.utf8.count > Limits.titleBytes - 32)
        #expect(title.last == "👩‍👩‍👧")
        #expect(activity.title?.count == 1001)
    }

    // Shows A19.
    @Test func stateOverTheLimitsIsTrimmed() throws {
        let activity = laptop.activity()
        activity.keywords = Set((0..<1000).map { "\($0)" })
        activity.requiredUserInfoKeys = Set((0..<1000).map { "\($0)" })
        activity.referrerURL = URL(string: "https://example.com/" + String(repeating: "a", count: Limits.urlBytes))
        let state = try state(of: activity)
        #expect(state.keywords.count == Limits.keywords)
        #expect(state.requiredUserInfoKeys?.count == Limits.keywords)
        #expect(state.referrerURL == nil)
        _ = try LocalFrame(encoded: try LocalFrame(.advertising(.saved(state, saving: .zero))).encoded())
    }

    // Shows A22.
    @Test func delegateIsNotRetained() {
        let activity = laptop.activity()
        var editor: Editor? = Editor()
        activity.delegate = editor
        #expect(activity.delegate === editor)
        editor = nil
        #expect(activity.delegate == nil)
    }

    // Shows E05, K01, K05.
    @Test func constantsAreApples() {
        #expect(NSUserActivityTypeBrowsingWeb == "NSUserActivityTypeBrowsingWeb")
        #expect(NSUserActivityErrorMinimum == 4608)
        #expect(NSUserActivityErrorMaximum == 4863)
        #expect(CocoaError.Code.userActivityHandoffFailedError.rawValue == 4608)
        #expect(CocoaError.Code.userActivityConnectionUnavailableError.rawValue == 4609)
        #expect(CocoaError.Code.userActivityRemoteApplicationTimedOutError.rawValue == 4610)
        #expect(CocoaError.Code.userActivityHandoffUserInfoTooLargeError.rawValue == 4611)
        #expect(CocoaError(.userActivityHandoffFailedError).isUserActivityError)
        #expect(CocoaError.userActivityHandoffUserInfoTooLargeError == .userActivityHandoffUserInfoTooLarge)
        #expect(NSUserActivityDocumentURLKey == "NSUserActivityDocumentURL")
        #expect(CSSearchableItemActionType == "com.apple.corespotlightitem")
        #expect(CSSearchableItemActivityIdentifier == "kCSSearchableItemActivityIdentifier")
        #expect(CSQueryContinuationActionType == "com.apple.corespotlightquerycontinuation")
        #expect(CSSearchQueryString == "kCSSearchQueryString")
    }

    @Test(arguments: [
        (Failure.Code.activityGone, 4608), (.deviceLost, 4608), (.connectionUnavailable, 4609), (.appTimedOut, 4610),
        (.payloadTooLarge, 4611), (.cancelled, 3072),
    ])
    func failureIsACocoaErrorWithAReason(code: Failure.Code, expected: Int) {
        let error = Failure(code, "the other device is asleep").cocoaError
        #expect(error.code.rawValue == expected)
        #expect((error as NSError).domain == NSCocoaErrorDomain)
        #expect((error as NSError).localizedFailureReason == "the other device is asleep")
        #expect(error.localizedDescription.contains("continu"))
        #expect(error.isUserActivityError == (expected != 3072))
    }
}
