// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Core Spotlight defines the meanings of the attributes.

// MARK: Text

extension CSSearchableItemAttributeSet {

    /// The content's title.
    public var title: String? {
        get { self["title"] }
        set { self["title"] = newValue }
    }

    /// The name to display, in the user's language, if it differs from the title.
    public var displayName: String? {
        get { self["displayName"] }
        set { self["displayName"] = newValue }
    }

    /// Other names.
    public var alternateNames: [String]? {
        get { self["alternateNames"] }
        set { self["alternateNames"] = newValue }
    }

    /// A description in a sentence or two.
    public var contentDescription: String? {
        get { self["contentDescription"] }
        set { self["contentDescription"] = newValue }
    }

    /// The subject of a message or document.
    public var subject: String? {
        get { self["subject"] }
        set { self["subject"] = newValue }
    }

    /// Search terms.
    public var keywords: [String]? {
        get { self["keywords"] }
        set { self["keywords"] = newValue }
    }

    /// A comment.
    public var comment: String? {
        get { self["comment"] }
        set { self["comment"] = newValue }
    }

    /// The theme.
    public var theme: String? {
        get { self["theme"] }
        set { self["theme"] = newValue }
    }

    /// The text.
    public var textContent: String? {
        get { self["textContent"] }
        set { self["textContent"] = newValue }
    }

    /// The authors, most important first.
    public var authorNames: [String]? {
        get { self["authorNames"] }
        set { self["authorNames"] = newValue }
    }

    /// The program that created the content.
    public var creator: String? {
        get { self["creator"] }
        set { self["creator"] = newValue }
    }

    /// A formal identifier, such as an ISBN.
    public var identifier: String? {
        get { self["identifier"] }
        set { self["identifier"] = newValue }
    }

    public var version: String? {
        get { self["version"] }
        set { self["version"] = newValue }
    }

    /// The languages, as BCP 47 tags.
    public var languages: [String]? {
        get { self["languages"] }
        set { self["languages"] = newValue }
    }
}

// MARK: Images and locations of the content

extension CSSearchableItemAttributeSet {

    /// The URL of the image to display.
    public var thumbnailURL: URL? {
        get { self["thumbnailURL"] }
        set { self["thumbnailURL"] = newValue }
    }

    /// The image to display. Not sent if it is too large.
    public var thumbnailData: Data? {
        get { self["thumbnailData"] }
        set { self["thumbnailData"] = newValue }
    }

    /// The URL of the content.
    public var contentURL: URL? {
        get { self["contentURL"] }
        set { self["contentURL"] = newValue }
    }

    /// The content's web page.
    public var url: URL? {
        get { self["url"] }
        set { self["url"] = newValue }
    }

    /// The file's path on this device.
    public var path: String? {
        get { self["path"] }
        set { self["path"] = newValue }
    }
}

// MARK: Times

extension CSSearchableItemAttributeSet {

    /// When the content was created.
    public var contentCreationDate: Date? {
        get { self["contentCreationDate"] }
        set { self["contentCreationDate"] = newValue }
    }

    /// When the content last changed.
    public var contentModificationDate: Date? {
        get { self["contentModificationDate"] }
        set { self["contentModificationDate"] = newValue }
    }

    /// When one of these attributes last changed.
    public var metadataModificationDate: Date? {
        get { self["metadataModificationDate"] }
        set { self["metadataModificationDate"] = newValue }
    }

    /// When the content was added to the user's collection.
    public var addedDate: Date? {
        get { self["addedDate"] }
        set { self["addedDate"] = newValue }
    }

    /// When the content was downloaded.
    public var downloadedDate: Date? {
        get { self["downloadedDate"] }
        set { self["downloadedDate"] = newValue }
    }

    /// When the user last opened the content.
    public var lastUsedDate: Date? {
        get { self["lastUsedDate"] }
        set { self["lastUsedDate"] = newValue }
    }

    /// When the event begins.
    public var startDate: Date? {
        get { self["startDate"] }
        set { self["startDate"] = newValue }
    }

    /// When the event ends.
    public var endDate: Date? {
        get { self["endDate"] }
        set { self["endDate"] = newValue }
    }

    /// When the task is due.
    public var dueDate: Date? {
        get { self["dueDate"] }
        set { self["dueDate"] = newValue }
    }

    /// When the task was completed.
    public var completionDate: Date? {
        get { self["completionDate"] }
        set { self["completionDate"] = newValue }
    }
}

// MARK: People and places

extension CSSearchableItemAttributeSet {

    /// Phone numbers.
    public var phoneNumbers: [String]? {
        get { self["phoneNumbers"] }
        set { self["phoneNumbers"] = newValue }
    }

    /// Email addresses.
    public var emailAddresses: [String]? {
        get { self["emailAddresses"] }
        set { self["emailAddresses"] = newValue }
    }

    /// The name of the place.
    public var namedLocation: String? {
        get { self["namedLocation"] }
        set { self["namedLocation"] = newValue }
    }

    /// The place's address on one line.
    public var fullyFormattedAddress: String? {
        get { self["fullyFormattedAddress"] }
        set { self["fullyFormattedAddress"] = newValue }
    }

    /// The city.
    public var city: String? {
        get { self["city"] }
        set { self["city"] = newValue }
    }

    /// The state or province.
    public var stateOrProvince: String? {
        get { self["stateOrProvince"] }
        set { self["stateOrProvince"] = newValue }
    }

    /// The country.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }

    /// The postal code.
    public var postalCode: String? {
        get { self["postalCode"] }
        set { self["postalCode"] = newValue }
    }

    /// The latitude in degrees; north is positive.
    public var latitude: NSNumber? {
        get { (self["latitude"] as NumberAttribute?)?.number }
        set { self["latitude"] = NumberAttribute(newValue) }
    }

    /// The longitude in degrees; east is positive.
    public var longitude: NSNumber? {
        get { (self["longitude"] as NumberAttribute?)?.number }
        set { self["longitude"] = NumberAttribute(newValue) }
    }

    /// The height above sea level, metres.
    public var altitude: NSNumber? {
        get { (self["altitude"] as NumberAttribute?)?.number }
        set { self["altitude"] = NumberAttribute(newValue) }
    }

    /// Whether `phoneNumbers` can be called.
    public var supportsPhoneCall: NSNumber? {
        get { (self["supportsPhoneCall"] as NumberAttribute?)?.number }
        set { self["supportsPhoneCall"] = NumberAttribute(newValue) }
    }

    /// Whether the place can be a destination.
    public var supportsNavigation: NSNumber? {
        get { (self["supportsNavigation"] as NumberAttribute?)?.number }
        set { self["supportsNavigation"] = NumberAttribute(newValue) }
    }
}

// MARK: Numbers

extension CSSearchableItemAttributeSet {

    /// The user's rating, 0 to 5.
    public var rating: NSNumber? {
        get { (self["rating"] as NumberAttribute?)?.number }
        set { self["rating"] = NumberAttribute(newValue) }
    }

    /// An explanation of the rating, such as "5 of 5 people liked it".
    public var ratingDescription: String? {
        get { self["ratingDescription"] }
        set { self["ratingDescription"] = newValue }
    }

    /// The importance among the app's items, 0 to 100.
    public var rankingHint: NSNumber? {
        get { (self["rankingHint"] as NumberAttribute?)?.number }
        set { self["rankingHint"] = NumberAttribute(newValue) }
    }

    /// The number of pages.
    public var pageCount: NSNumber? {
        get { (self["pageCount"] as NumberAttribute?)?.number }
        set { self["pageCount"] = NumberAttribute(newValue) }
    }

    /// The size in bytes.
    public var fileSize: NSNumber? {
        get { (self["fileSize"] as NumberAttribute?)?.number }
        set { self["fileSize"] = NumberAttribute(newValue) }
    }

    /// Whether the user created the content.
    public var userCreated: NSNumber? {
        get { (self["userCreated"] as NumberAttribute?)?.number }
        set { self["userCreated"] = NumberAttribute(newValue) }
    }

    /// Whether the user owns the content, for instance by purchase.
    public var userOwned: NSNumber? {
        get { (self["userOwned"] as NumberAttribute?)?.number }
        set { self["userOwned"] = NumberAttribute(newValue) }
    }

    /// Whether the user selected it, for instance for a playlist.
    public var userCurated: NSNumber? {
        get { (self["userCurated"] as NumberAttribute?)?.number }
        set { self["userCurated"] = NumberAttribute(newValue) }
    }
}
