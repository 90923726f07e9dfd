// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Attributes of messages and people. Core Spotlight defines the meanings.

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

    /// The recipients of a copy.
    public var additionalRecipients: [CSPerson]? {
        get { self["additionalRecipients"] }
        set { self["additionalRecipients"] = newValue }
    }

    /// The recipients of a blind copy.
    public var hiddenAdditionalRecipients: [CSPerson]? {
        get { self["hiddenAdditionalRecipients"] }
        set { self["hiddenAdditionalRecipients"] = newValue }
    }

    /// The names of the recipients.
    public var recipientNames: [String]? {
        get { self["recipientNames"] }
        set { self["recipientNames"] = newValue }
    }

    /// The email addresses of the authors.
    public var authorEmailAddresses: [String]? {
        get { self["authorEmailAddresses"] }
        set { self["authorEmailAddresses"] = newValue }
    }

    /// The email addresses of the recipients.
    public var recipientEmailAddresses: [String]? {
        get { self["recipientEmailAddresses"] }
        set { self["recipientEmailAddresses"] = newValue }
    }

    /// The postal addresses of the authors.
    public var authorAddresses: [String]? {
        get { self["authorAddresses"] }
        set { self["authorAddresses"] = newValue }
    }

    /// The postal addresses of the recipients.
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

    /// The account that the content belongs to.
    public var accountIdentifier: String? {
        get { self["accountIdentifier"] }
        set { self["accountIdentifier"] = newValue }
    }

    /// The addresses or numbers of the account.
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

    /// The people who appear in the content.
    public var participants: [String]? {
        get { self["participants"] }
        set { self["participants"] = newValue }
    }

    /// The publishers.
    public var publishers: [String]? {
        get { self["publishers"] }
        set { self["publishers"] = newValue }
    }

    /// The organizations that created the content.
    public var organizations: [String]? {
        get { self["organizations"] }
        set { self["organizations"] = newValue }
    }

    /// The intended audiences.
    public var audiences: [String]? {
        get { self["audiences"] }
        set { self["audiences"] = newValue }
    }

    /// Contacts related to the content other than its authors.
    public var contactKeywords: [String]? {
        get { self["contactKeywords"] }
        set { self["contactKeywords"] = newValue }
    }
}
