// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff

/// Shows A20.
@Suite struct SearchPropertiesTests {
    let laptop: Laptop

    init() throws { laptop = try Laptop(startingDaemon: false) }

    /// The activity as the other device's app receives it, through the bytes of a frame.
    private func delivered(_ activity: NSUserActivity) throws -> NSUserActivity {
        let state = try activity.content.state(of: activity.record.type)
        let frame = try LocalFrame(encoded: try LocalFrame(.advertising(.saved(state, saving: .zero))).encoded())
        guard case .advertising(.saved(let arrived, _, _)) = frame.message else {
            throw FakeDaemon.Unexpected(frame: frame)
        }
        return NSUserActivity(
            type: arrived.type, content: try ActivityContent(arrived), center: laptop.center)
    }

    // Shows A19, A23, A24, A27, A28.
    @Test func everyPropertyArrives() throws {
        let activity = laptop.activity()
        activity.keywords = ["sonnet", "summer"]
        activity.targetContentIdentifier = "book-1"
        activity.persistentIdentifier = "saved-1"
        activity.requiredUserInfoKeys = ["page"]
        activity.isEligibleForSearch = true
        activity.isEligibleForPublicIndexing = true
        activity.isEligibleForPrediction = true
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = "Sonnet 18"
        activity.contentAttributeSet = attributes
        let arrived = try delivered(activity)
        #expect(arrived.keywords == ["sonnet", "summer"])
        #expect(arrived.targetContentIdentifier == "book-1")
        #expect(arrived.persistentIdentifier == "saved-1")
        #expect(arrived.requiredUserInfoKeys == ["page"])
        #expect(arrived.isEligibleForHandoff)
        #expect(arrived.isEligibleForSearch)
        #expect(arrived.isEligibleForPublicIndexing)
        #expect(arrived.isEligibleForPrediction)
        #expect(arrived.contentAttributeSet?.contentType == "public.text")
        #expect(arrived.contentAttributeSet?.title == "Sonnet 18")
    }

    // Shows A26.
    @Test func unsetSearchPropertiesArriveUnset() throws {
        let arrived = try delivered(laptop.activity())
        #expect(arrived.contentAttributeSet == nil)
        #expect(!arrived.isEligibleForSearch)
        #expect(!arrived.isEligibleForPublicIndexing)
        #expect(!arrived.isEligibleForPrediction)
        #expect(arrived.requiredUserInfoKeys == nil)
    }

    // Shows A23.
    @Test func targetContentIdentifierDoesNotAskForASave() {
        let activity = laptop.activity()
        activity.needsSave = false
        activity.targetContentIdentifier = "book-1"
        #expect(!activity.needsSave)
    }

    @Test func everyKindOfAttributeArrives() throws {
        let activity = laptop.activity()
        let attributes = CSSearchableItemAttributeSet(itemContentType: "public.image")
        let noon = Date(timeIntervalSinceReferenceDate: 43_200)
        attributes.displayName = "Sunset"
        attributes.contentDescription = "A beach, orange"
        attributes.keywords = ["sun", "sea"]
        attributes.thumbnailURL = URL(string: "file:///tmp/sunset.png")
        attributes.thumbnailData = Data([0x89, 0x50])
        attributes.contentURL = URL(string: "https://example.com/sunset")
        attributes.contentCreationDate = noon
        attributes.relatedUniqueIdentifier = "photo-1"
        attributes.weakRelatedUniqueIdentifier = "photo-2"
        attributes.latitude = 43.5
        attributes.supportsNavigation = true
        attributes.rating = 4
        activity.contentAttributeSet = attributes
        let arrived = try #require(try delivered(activity).contentAttributeSet)
        #expect(arrived.contentType == "public.image")
        #expect(arrived.displayName == "Sunset")
        #expect(arrived.contentDescription == "A beach, orange")
        #expect(arrived.keywords == ["sun", "sea"])
        #expect(arrived.thumbnailURL == attributes.thumbnailURL)
        #expect(arrived.thumbnailData == Data([0x89, 0x50]))
        #expect(arrived.contentURL == attributes.contentURL)
        #expect(arrived.contentCreationDate == noon)
        #expect(arrived.relatedUniqueIdentifier == "photo-1")
        #expect(arrived.weakRelatedUniqueIdentifier == "photo-2")
        #expect(arrived.latitude == 43.5)
        #expect(arrived.supportsNavigation?.boolValue == true)
        #expect(arrived.rating?.intValue == 4)
        #expect(arrived.subject == nil)
    }

    @Test func peopleDatesAndHtmlArrive() throws {
        let activity = laptop.activity()
        let attributes = CSSearchableItemAttributeSet()
        #expect(attributes.contentType == nil)
        let anna = CSPerson(displayName: "Anna", handles: ["anna@example.com"], handleIdentifier: "emailAddresses")
        anna.contactIdentifier = "contact-7"
        attributes.authors = [anna, CSPerson(displayName: nil, handles: [], handleIdentifier: "phoneNumbers")]
        attributes.primaryRecipients = []
        attributes.htmlContentData = Data("<p>Dear Ben</p>".utf8)
        attributes.importantDates = [Date(timeIntervalSinceReferenceDate: 1), .distantFuture]
        attributes.likelyJunk = false
        attributes.containerTitle = "Letters"
        attributes.duration = 90.5
        activity.contentAttributeSet = attributes
        let arrived = try #require(try delivered(activity).contentAttributeSet)
        let authors = try #require(arrived.authors)
        #expect(authors.map(\.displayName) == ["Anna", nil])
        #expect(authors.map(\.handles) == [["anna@example.com"], []])
        #expect(authors.map(\.handleIdentifier) == ["emailAddresses", "phoneNumbers"])
        #expect(authors.map(\.contactIdentifier) == ["contact-7", nil])
        #expect(arrived.primaryRecipients?.isEmpty == true)
        #expect(arrived.additionalRecipients == nil)
        #expect(arrived.htmlContentData == Data("<p>Dear Ben</p>".utf8))
        #expect(arrived.importantDates == [Date(timeIntervalSinceReferenceDate: 1), .distantFuture])
        #expect(arrived.likelyJunk?.boolValue == false)
        #expect(arrived.containerTitle == "Letters")
        #expect(arrived.duration?.doubleValue == 90.5)
    }

    @Test func personIsCopied() throws {
        let anna = CSPerson(displayName: "Anna", handles: ["1"], handleIdentifier: "phoneNumbers")
        let copy = try #require(anna.copy() as? CSPerson)
        anna.contactIdentifier = "contact-7"
        #expect(copy !== anna)
        #expect(copy.displayName == "Anna")
        #expect(copy.handles == ["1"])
        #expect(copy.contactIdentifier == nil)
    }

    @Test func invalidSearchAttributesAreOmitted() throws {
        let person = Value.dictionary([.string("handleIdentifier"): .string("phoneNumbers"), .string("handles"): .null])
        var attributes = ContentAttributes()
        attributes.entries["authors"] = .array([
            .string("Anna"), person, .dictionary([.string("displayName"): .string("Ben")]), .null,
        ])
        attributes.entries["htmlContentData"] = .string("<p>")
        attributes.entries["importantDates"] = .date(0)
        let content = try ActivityContent(
            ActivityState(
                type: try ActivityType("com.example.reader.reading"), contentAttributes: attributes.encoded()))
        let arrived = try #require(content.contentAttributeSet)
        #expect(arrived.authors?.map(\.handleIdentifier) == ["phoneNumbers"])
        #expect(arrived.authors?.map(\.handles) == [[]])
        #expect(arrived.htmlContentData == nil)
        #expect(arrived.importantDates == nil)
    }

    @Test func attributesAreCopiedWhenSetAndTheActivitysOwnThen() {
        let activity = laptop.activity()
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = "before"
        activity.contentAttributeSet = attributes
        attributes.title = "changed later"
        #expect(activity.contentAttributeSet?.title == "before")
        activity.contentAttributeSet?.title = "changed in place"
        #expect(activity.contentAttributeSet?.title == "changed in place")
        activity.contentAttributeSet = nil
        #expect(activity.contentAttributeSet == nil)
    }

    @Test func copyIsIndependent() throws {
        let attributes = CSSearchableItemAttributeSet(contentType: .pdf)
        attributes.keywords = ["one"]
        let copy = try #require(attributes.copy() as? CSSearchableItemAttributeSet)
        #expect(copy !== attributes)
        #expect(copy.contentType == "com.adobe.pdf")
        attributes.keywords = nil
        #expect(copy.keywords == ["one"])
    }

    /// The image is omitted first, then the content; the rest is sent unless it is too large.
    @Test func tooLargeAPictureStaysBehindThenTheContentThenAll() throws {
        let activity = laptop.activity()
        let attributes = CSSearchableItemAttributeSet(contentType: .image)
        attributes.title = "large"
        attributes.htmlContentData = Data("<p>".utf8)
        attributes.textContent = "text"
        attributes.thumbnailData = Data(count: Limits.contentAttributesBytes)
        activity.contentAttributeSet = attributes
        var arrived = try #require(try delivered(activity).contentAttributeSet)
        #expect(arrived.title == "large")
        #expect(arrived.thumbnailData == nil)
        #expect(arrived.htmlContentData == Data("<p>".utf8))
        attributes.htmlContentData = Data(count: Limits.contentAttributesBytes)
        activity.contentAttributeSet = attributes
        arrived = try #require(try delivered(activity).contentAttributeSet)
        #expect(arrived.htmlContentData == nil)
        #expect(arrived.textContent == "text")
        attributes.textContent = String(repeating: "x", count: Limits.contentAttributesBytes)
        activity.contentAttributeSet = attributes
        arrived = try #require(try delivered(activity).contentAttributeSet)
        #expect(arrived.textContent == nil)
        #expect(arrived.title == "large")
        attributes.title = String(repeating: "x", count: Limits.contentAttributesBytes)
        activity.contentAttributeSet = attributes
        #expect(try delivered(activity).contentAttributeSet == nil)
    }

    @Test func attributesThatNoAppSentAreRefused() throws {
        let type = try ActivityType("com.example.reader.reading")
        for value in [Value.array([]), .dictionary([.signed(1): .null])] {
            #expect(throws: Failure(.malformed, "")) {
                try ActivityContent(ActivityState(type: type, contentAttributes: try value.encoded()))
            }
        }
        #expect(throws: Failure(.malformed, "")) {
            try ActivityContent(ActivityState(type: type, contentAttributes: [0xFF]))
        }
        // An unknown attribute is kept; an attribute of another type reads as nil.
        let attributes = ActivityState(
            type: type,
            contentAttributes: try Value.dictionary([.string("new"): .signed(1), .string("title"): .signed(2)])
                .encoded())
        let content = try ActivityContent(attributes)
        #expect(content.contentAttributeSet?.title == nil)
        #expect(content.contentAttributeSet?.content.entries["new"] == .signed(1))
    }
}
