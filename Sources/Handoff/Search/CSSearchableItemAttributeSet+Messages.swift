// SPDX-License-Identifier: Apache-2.0

public import Foundation

// MARK: Messages

extension CSSearchableItemAttributeSet {

    /// The content as HTML in UTF-8.
    public var htmlContentData: Data? {
        get { self["htmlContentData"] }
        set { self["htmlContentData"] = newValue }
    }

    /// The authors or senders.
    public var authors: [CSPerson]? {
        get { self["authors"] }
        set { self["authors"] = newValue }
    }

    /// The primary recipients.
    public var primaryRecipients: [CSPerson]? {
        get { self["primaryRecipients"] }
        set { self["primaryRecipients"] = newValue }
    }

    /// Recipients of a copy.
    public var additionalRecipients: [CSPerson]? {
        get { self["additionalRecipients"] }
        set { self["additionalRecipients"] = newValue }
    }

    /// Recipients of a blind copy.
    public var hiddenAdditionalRecipients: [CSPerson]? {
        get { self["hiddenAdditionalRecipients"] }
        set { self["hiddenAdditionalRecipients"] = newValue }
    }

    /// The recipients' names.
    public var recipientNames: [String]? {
        get { self["recipientNames"] }
        set { self["recipientNames"] = newValue }
    }

    /// The authors' email addresses.
    public var authorEmailAddresses: [String]? {
        get { self["authorEmailAddresses"] }
        set { self["authorEmailAddresses"] = newValue }
    }

    /// The recipients' email addresses.
    public var recipientEmailAddresses: [String]? {
        get { self["recipientEmailAddresses"] }
        set { self["recipientEmailAddresses"] = newValue }
    }

    /// The authors' postal addresses.
    public var authorAddresses: [String]? {
        get { self["authorAddresses"] }
        set { self["authorAddresses"] = newValue }
    }

    /// The recipients' postal addresses.
    public var recipientAddresses: [String]? {
        get { self["recipientAddresses"] }
        set { self["recipientAddresses"] = newValue }
    }

    /// Instant message addresses.
    public var instantMessageAddresses: [String]? {
        get { self["instantMessageAddresses"] }
        set { self["instantMessageAddresses"] = newValue }
    }

    /// The mailboxes that contain the message.
    public var mailboxIdentifiers: [String]? {
        get { self["mailboxIdentifiers"] }
        set { self["mailboxIdentifiers"] = newValue }
    }

    /// The content's account.
    public var accountIdentifier: String? {
        get { self["accountIdentifier"] }
        set { self["accountIdentifier"] = newValue }
    }

    /// The account's addresses or numbers.
    public var accountHandles: [String]? {
        get { self["accountHandles"] }
        set { self["accountHandles"] = newValue }
    }

    /// Whether it is probably junk.
    public var likelyJunk: NSNumber? {
        get { (self["likelyJunk"] as NumberAttribute?)?.number }
        set { self["likelyJunk"] = NumberAttribute(newValue) }
    }
}

// MARK: Other people

extension CSSearchableItemAttributeSet {

    /// The contributors.
    public var contributors: [String]? {
        get { self["contributors"] }
        set { self["contributors"] = newValue }
    }

    /// The editors.
    public var editors: [String]? {
        get { self["editors"] }
        set { self["editors"] = newValue }
    }

    /// People who appear in the content.
    public var participants: [String]? {
        get { self["participants"] }
        set { self["participants"] = newValue }
    }

    /// The publishers.
    public var publishers: [String]? {
        get { self["publishers"] }
        set { self["publishers"] = newValue }
    }

    /// Organizations that created the content.
    public var organizations: [String]? {
        get { self["organizations"] }
        set { self["organizations"] = newValue }
    }

    /// The intended audiences.
    public var audiences: [String]? {
        get { self["audiences"] }
        set { self["audiences"] = newValue }
    }

    /// Related contacts other than the authors.
    public var contactKeywords: [String]? {
        get { self["contactKeywords"] }
        set { self["contactKeywords"] = newValue }
    }
}
