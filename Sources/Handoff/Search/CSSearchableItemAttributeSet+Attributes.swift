// SPDX-License-Identifier: Apache-2.0

public import Foundation

// One accessor an attribute; what they mean is Core Spotlight's.

// MARK: What people read

extension CSSearchableItemAttributeSet {

    /// The content's own title.
    public var title: String? {
        get { self["title"] }
        set { self["title"] = newValue }
    }

    /// The name to show where it differs from the title, in the user's language.
    public var displayName: String? {
        get { self["displayName"] }
        set { self["displayName"] = newValue }
    }

    /// Other names the content goes by.
    public var alternateNames: [String]? {
        get { self["alternateNames"] }
        set { self["alternateNames"] = newValue }
    }

    /// What it is about, in a sentence or two.
    public var contentDescription: String? {
        get { self["contentDescription"] }
        set { self["contentDescription"] = newValue }
    }

    /// The subject of a message or document.
    public var subject: String? {
        get { self["subject"] }
        set { self["subject"] = newValue }
    }

    /// Words by which people would look for it.
    public var keywords: [String]? {
        get { self["keywords"] }
        set { self["keywords"] = newValue }
    }

    /// A remark about it.
    public var comment: String? {
        get { self["comment"] }
        set { self["comment"] = newValue }
    }

    /// Its theme.
    public var theme: String? {
        get { self["theme"] }
        set { self["theme"] = newValue }
    }

    /// Its text.
    public var textContent: String? {
        get { self["textContent"] }
        set { self["textContent"] = newValue }
    }

    /// Who wrote it, most important first.
    public var authorNames: [String]? {
        get { self["authorNames"] }
        set { self["authorNames"] = newValue }
    }

    /// The program it was made with.
    public var creator: String? {
        get { self["creator"] }
        set { self["creator"] = newValue }
    }

    /// The content's own formal identifier, such as an ISBN.
    public var identifier: String? {
        get { self["identifier"] }
        set { self["identifier"] = newValue }
    }

    /// The version of the content.
    public var version: String? {
        get { self["version"] }
        set { self["version"] = newValue }
    }

    /// The languages it is in, as BCP 47 writes them.
    public var languages: [String]? {
        get { self["languages"] }
        set { self["languages"] = newValue }
    }
}

// MARK: Pictures and places on disk or in the web

extension CSSearchableItemAttributeSet {

    /// Where the picture to show beside it is.
    public var thumbnailURL: URL? {
        get { self["thumbnailURL"] }
        set { self["thumbnailURL"] = newValue }
    }

    /// The picture to show beside it. Left out on the way to another device where it is too large.
    public var thumbnailData: Data? {
        get { self["thumbnailData"] }
        set { self["thumbnailData"] = newValue }
    }

    /// Where the content is.
    public var contentURL: URL? {
        get { self["contentURL"] }
        set { self["contentURL"] = newValue }
    }

    /// The web page of the content.
    public var url: URL? {
        get { self["url"] }
        set { self["url"] = newValue }
    }

    /// The path of the content's file on this device.
    public var path: String? {
        get { self["path"] }
        set { self["path"] = newValue }
    }
}

// MARK: Times

extension CSSearchableItemAttributeSet {

    /// When the content was made.
    public var contentCreationDate: Date? {
        get { self["contentCreationDate"] }
        set { self["contentCreationDate"] = newValue }
    }

    /// When the content was last changed.
    public var contentModificationDate: Date? {
        get { self["contentModificationDate"] }
        set { self["contentModificationDate"] = newValue }
    }

    /// When one of these attributes was last changed.
    public var metadataModificationDate: Date? {
        get { self["metadataModificationDate"] }
        set { self["metadataModificationDate"] = newValue }
    }

    /// When it was added to where the user keeps it.
    public var addedDate: Date? {
        get { self["addedDate"] }
        set { self["addedDate"] = newValue }
    }

    /// When it was downloaded.
    public var downloadedDate: Date? {
        get { self["downloadedDate"] }
        set { self["downloadedDate"] = newValue }
    }

    /// When the user last had it open.
    public var lastUsedDate: Date? {
        get { self["lastUsedDate"] }
        set { self["lastUsedDate"] = newValue }
    }

    /// When what it is about begins.
    public var startDate: Date? {
        get { self["startDate"] }
        set { self["startDate"] = newValue }
    }

    /// When what it is about ends.
    public var endDate: Date? {
        get { self["endDate"] }
        set { self["endDate"] = newValue }
    }

    /// When it is due.
    public var dueDate: Date? {
        get { self["dueDate"] }
        set { self["dueDate"] = newValue }
    }

    /// When it was done.
    public var completionDate: Date? {
        get { self["completionDate"] }
        set { self["completionDate"] = newValue }
    }
}

// MARK: People and places

extension CSSearchableItemAttributeSet {

    /// Phone numbers that belong to it.
    public var phoneNumbers: [String]? {
        get { self["phoneNumbers"] }
        set { self["phoneNumbers"] = newValue }
    }

    /// E-mail addresses that belong to it.
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

    /// The city it is in or from.
    public var city: String? {
        get { self["city"] }
        set { self["city"] = newValue }
    }

    /// The state or province it is in or from.
    public var stateOrProvince: String? {
        get { self["stateOrProvince"] }
        set { self["stateOrProvince"] = newValue }
    }

    /// The country it is in or from.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }

    /// The place's postal code.
    public var postalCode: String? {
        get { self["postalCode"] }
        set { self["postalCode"] = newValue }
    }

    /// The place's latitude in degrees, north positive.
    public var latitude: NSNumber? {
        get { (self["latitude"] as NumberAttribute?)?.number }
        set { self["latitude"] = NumberAttribute(newValue) }
    }

    /// The place's longitude in degrees, east positive.
    public var longitude: NSNumber? {
        get { (self["longitude"] as NumberAttribute?)?.number }
        set { self["longitude"] = NumberAttribute(newValue) }
    }

    /// The place's height above the sea in metres.
    public var altitude: NSNumber? {
        get { (self["altitude"] as NumberAttribute?)?.number }
        set { self["altitude"] = NumberAttribute(newValue) }
    }

    /// Whether one of `phoneNumbers` can be called.
    public var supportsPhoneCall: NSNumber? {
        get { (self["supportsPhoneCall"] as NumberAttribute?)?.number }
        set { self["supportsPhoneCall"] = NumberAttribute(newValue) }
    }

    /// Whether the place can be travelled to.
    public var supportsNavigation: NSNumber? {
        get { (self["supportsNavigation"] as NumberAttribute?)?.number }
        set { self["supportsNavigation"] = NumberAttribute(newValue) }
    }
}

// MARK: Figures

extension CSSearchableItemAttributeSet {

    /// What the user thinks of it, 0 to 5.
    public var rating: NSNumber? {
        get { (self["rating"] as NumberAttribute?)?.number }
        set { self["rating"] = NumberAttribute(newValue) }
    }

    /// What the rating means, such as "5 of 5 people liked it".
    public var ratingDescription: String? {
        get { self["ratingDescription"] }
        set { self["ratingDescription"] = newValue }
    }

    /// How important it is among the app's own, 0 to 100.
    public var rankingHint: NSNumber? {
        get { (self["rankingHint"] as NumberAttribute?)?.number }
        set { self["rankingHint"] = NumberAttribute(newValue) }
    }

    /// How many pages it has.
    public var pageCount: NSNumber? {
        get { (self["pageCount"] as NumberAttribute?)?.number }
        set { self["pageCount"] = NumberAttribute(newValue) }
    }

    /// Its size in bytes.
    public var fileSize: NSNumber? {
        get { (self["fileSize"] as NumberAttribute?)?.number }
        set { self["fileSize"] = NumberAttribute(newValue) }
    }

    /// Whether the user made it.
    public var userCreated: NSNumber? {
        get { (self["userCreated"] as NumberAttribute?)?.number }
        set { self["userCreated"] = NumberAttribute(newValue) }
    }

    /// Whether the user owns it, by purchase for instance.
    public var userOwned: NSNumber? {
        get { (self["userOwned"] as NumberAttribute?)?.number }
        set { self["userOwned"] = NumberAttribute(newValue) }
    }

    /// Whether the user chose it, for a playlist for instance.
    public var userCurated: NSNumber? {
        get { (self["userCurated"] as NumberAttribute?)?.number }
        set { self["userCurated"] = NumberAttribute(newValue) }
    }
}
