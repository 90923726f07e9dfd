// SPDX-License-Identifier: Apache-2.0

public import Foundation

// MARK: Containers

extension CSSearchableItemAttributeSet {

    /// The title of the containing item.
    public var containerTitle: String? {
        get { self["containerTitle"] }
        set { self["containerTitle"] = newValue }
    }

    /// The container's name to display.
    public var containerDisplayName: String? {
        get { self["containerDisplayName"] }
        set { self["containerDisplayName"] = newValue }
    }

    /// The container's identifier.
    public var containerIdentifier: String? {
        get { self["containerIdentifier"] }
        set { self["containerIdentifier"] = newValue }
    }

    /// The position in the container.
    public var containerOrder: NSNumber? {
        get { (self["containerOrder"] as NumberAttribute?)?.number }
        set { self["containerOrder"] = NumberAttribute(newValue) }
    }

    /// The content's projects.
    public var projects: [String]? {
        get { self["projects"] }
        set { self["projects"] = newValue }
    }

    /// The origin of the content.
    public var contentSources: [String]? {
        get { self["contentSources"] }
        set { self["contentSources"] = newValue }
    }
}

// MARK: Documents and media

extension CSSearchableItemAttributeSet {

    /// A description of the kind of content.
    public var kind: String? {
        get { self["kind"] }
        set { self["kind"] = newValue }
    }

    /// Information about the content.
    public var information: String? {
        get { self["information"] }
        set { self["information"] = newValue }
    }

    /// The copyright notice.
    public var copyright: String? {
        get { self["copyright"] }
        set { self["copyright"] = newValue }
    }

    /// A link to the rights' description.
    public var rights: String? {
        get { self["rights"] }
        set { self["rights"] = newValue }
    }

    /// The content's collection.
    public var album: String? {
        get { self["album"] }
        set { self["album"] = newValue }
    }

    /// The performing artist.
    public var artist: String? {
        get { self["artist"] }
        set { self["artist"] = newValue }
    }

    /// The composer.
    public var composer: String? {
        get { self["composer"] }
        set { self["composer"] = newValue }
    }

    /// The director.
    public var director: String? {
        get { self["director"] }
        set { self["director"] = newValue }
    }

    /// The producer.
    public var producer: String? {
        get { self["producer"] }
        set { self["producer"] = newValue }
    }

    /// The performers.
    public var performers: [String]? {
        get { self["performers"] }
        set { self["performers"] = newValue }
    }

    /// The genre.
    public var genre: String? {
        get { self["genre"] }
        set { self["genre"] = newValue }
    }

    /// The genre of music.
    public var musicalGenre: String? {
        get { self["musicalGenre"] }
        set { self["musicalGenre"] = newValue }
    }

    /// The duration, seconds.
    public var duration: NSNumber? {
        get { (self["duration"] as NumberAttribute?)?.number }
        set { self["duration"] = NumberAttribute(newValue) }
    }

    /// How often it was played.
    public var playCount: NSNumber? {
        get { (self["playCount"] as NumberAttribute?)?.number }
        set { self["playCount"] = NumberAttribute(newValue) }
    }

    /// The media types in the content.
    public var mediaTypes: [String]? {
        get { self["mediaTypes"] }
        set { self["mediaTypes"] = newValue }
    }

    /// When the content was recorded.
    public var recordingDate: Date? {
        get { self["recordingDate"] }
        set { self["recordingDate"] = newValue }
    }

    /// The width, pixels.
    public var pixelWidth: NSNumber? {
        get { (self["pixelWidth"] as NumberAttribute?)?.number }
        set { self["pixelWidth"] = NumberAttribute(newValue) }
    }

    /// The height, pixels.
    public var pixelHeight: NSNumber? {
        get { (self["pixelHeight"] as NumberAttribute?)?.number }
        set { self["pixelHeight"] = NumberAttribute(newValue) }
    }
}

// MARK: Times and places

extension CSSearchableItemAttributeSet {

    /// Important dates.
    public var importantDates: [Date]? {
        get { self["importantDates"] }
        set { self["importantDates"] = newValue }
    }

    /// Whether the event lasts whole days.
    public var allDay: NSNumber? {
        get { (self["allDay"] as NumberAttribute?)?.number }
        set { self["allDay"] = NumberAttribute(newValue) }
    }

    /// When the recorded event took place.
    public var timestamp: Date? {
        get { self["timestamp"] }
        set { self["timestamp"] = newValue }
    }

    /// A one-line headline for publishing.
    public var headline: String? {
        get { self["headline"] }
        set { self["headline"] = newValue }
    }

    /// The street.
    public var thoroughfare: String? {
        get { self["thoroughfare"] }
        set { self["thoroughfare"] = newValue }
    }

    /// The house number.
    public var subThoroughfare: String? {
        get { self["subThoroughfare"] }
        set { self["subThoroughfare"] = newValue }
    }
}
