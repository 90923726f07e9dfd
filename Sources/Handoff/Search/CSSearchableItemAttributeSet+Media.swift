// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Documents, media, and what content is part of. One accessor an attribute; what they mean is Core Spotlight's.

// MARK: What it is part of

extension CSSearchableItemAttributeSet {

    /// The title of what it is part of.
    public var containerTitle: String? {
        get { self["containerTitle"] }
        set { self["containerTitle"] = newValue }
    }

    /// The name to show of what it is part of.
    public var containerDisplayName: String? {
        get { self["containerDisplayName"] }
        set { self["containerDisplayName"] = newValue }
    }

    /// The identifier of what it is part of.
    public var containerIdentifier: String? {
        get { self["containerIdentifier"] }
        set { self["containerIdentifier"] = newValue }
    }

    /// Its place in there.
    public var containerOrder: NSNumber? {
        get { (self["containerOrder"] as NumberAttribute?)?.number }
        set { self["containerOrder"] = NumberAttribute(newValue) }
    }

    /// The projects that it belongs to.
    public var projects: [String]? {
        get { self["projects"] }
        set { self["projects"] = newValue }
    }

    /// Where it came from.
    public var contentSources: [String]? {
        get { self["contentSources"] }
        set { self["contentSources"] = newValue }
    }
}

// MARK: Documents and media

extension CSSearchableItemAttributeSet {

    /// What kind of thing it is, in words.
    public var kind: String? {
        get { self["kind"] }
        set { self["kind"] = newValue }
    }

    /// What there is to say about it.
    public var information: String? {
        get { self["information"] }
        set { self["information"] = newValue }
    }

    /// Whose copyright it is.
    public var copyright: String? {
        get { self["copyright"] }
        set { self["copyright"] = newValue }
    }

    /// Where its rights are described.
    public var rights: String? {
        get { self["rights"] }
        set { self["rights"] = newValue }
    }

    /// The collection that it is of.
    public var album: String? {
        get { self["album"] }
        set { self["album"] = newValue }
    }

    /// Who performs it.
    public var artist: String? {
        get { self["artist"] }
        set { self["artist"] = newValue }
    }

    /// Who composed it.
    public var composer: String? {
        get { self["composer"] }
        set { self["composer"] = newValue }
    }

    /// Who directed it.
    public var director: String? {
        get { self["director"] }
        set { self["director"] = newValue }
    }

    /// Who produced it.
    public var producer: String? {
        get { self["producer"] }
        set { self["producer"] = newValue }
    }

    /// Who plays in it.
    public var performers: [String]? {
        get { self["performers"] }
        set { self["performers"] = newValue }
    }

    /// Its genre.
    public var genre: String? {
        get { self["genre"] }
        set { self["genre"] = newValue }
    }

    /// Its genre as music.
    public var musicalGenre: String? {
        get { self["musicalGenre"] }
        set { self["musicalGenre"] = newValue }
    }

    /// How long it is, in seconds.
    public var duration: NSNumber? {
        get { (self["duration"] as NumberAttribute?)?.number }
        set { self["duration"] = NumberAttribute(newValue) }
    }

    /// How often it was played.
    public var playCount: NSNumber? {
        get { (self["playCount"] as NumberAttribute?)?.number }
        set { self["playCount"] = NumberAttribute(newValue) }
    }

    /// The types of media in it.
    public var mediaTypes: [String]? {
        get { self["mediaTypes"] }
        set { self["mediaTypes"] = newValue }
    }

    /// When it was recorded.
    public var recordingDate: Date? {
        get { self["recordingDate"] }
        set { self["recordingDate"] = newValue }
    }

    /// Its width in pixels.
    public var pixelWidth: NSNumber? {
        get { (self["pixelWidth"] as NumberAttribute?)?.number }
        set { self["pixelWidth"] = NumberAttribute(newValue) }
    }

    /// Its height in pixels.
    public var pixelHeight: NSNumber? {
        get { (self["pixelHeight"] as NumberAttribute?)?.number }
        set { self["pixelHeight"] = NumberAttribute(newValue) }
    }
}

// MARK: Times and places

extension CSSearchableItemAttributeSet {

    /// Dates that matter to it.
    public var importantDates: [Date]? {
        get { self["importantDates"] }
        set { self["importantDates"] = newValue }
    }

    /// Whether it is about whole days.
    public var allDay: NSNumber? {
        get { (self["allDay"] as NumberAttribute?)?.number }
        set { self["allDay"] = NumberAttribute(newValue) }
    }

    /// When what it records took place.
    public var timestamp: Date? {
        get { self["timestamp"] }
        set { self["timestamp"] = newValue }
    }

    /// What it is, in a line for publishing.
    public var headline: String? {
        get { self["headline"] }
        set { self["headline"] = newValue }
    }

    /// The place's street.
    public var thoroughfare: String? {
        get { self["thoroughfare"] }
        set { self["thoroughfare"] = newValue }
    }

    /// The number in the street.
    public var subThoroughfare: String? {
        get { self["subThoroughfare"] }
        set { self["subThoroughfare"] = newValue }
    }
}
