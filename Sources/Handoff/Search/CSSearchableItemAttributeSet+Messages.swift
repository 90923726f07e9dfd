// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Messages and the people of content. One accessor an attribute; what they mean is Core Spotlight's.

// MARK: Messages

extension CSSearchableItemAttributeSet {

    /// The content as HTML in UTF-8.
    public var htmlContentData: Data? {
        get { self["htmlContentData"] }
        set { self["htmlContentData"] = newValue }
    }

    /// Who wrote or sent it.
    public var authors: [CSPerson]? {
        get { self["authors"] }
        set { self["authors"] = newValue }
    }

    /// To whom it was sent.
    public var primaryRecipients: [CSPerson]? {
        get { self["primaryRecipients"] }
        set { self["primaryRecipients"] = newValue }
    }

    /// Who got a copy.
    public var additionalRecipients: [CSPerson]? {
        get { self["additionalRecipients"] }
        set { self["additionalRecipients"] = newValue }
    }

    /// Who got a copy that others do not see.
    public var hiddenAdditionalRecipients: [CSPerson]? {
        get { self["hiddenAdditionalRecipients"] }
        set { self["hiddenAdditionalRecipients"] = newValue }
    }

    /// The names of those to whom it was sent.
    public var recipientNames: [String]? {
        get { self["recipientNames"] }
        set { self["recipientNames"] = newValue }
    }

    /// The e-mail addresses of those who wrote it.
    public var authorEmailAddresses: [String]? {
        get { self["authorEmailAddresses"] }
        set { self["authorEmailAddresses"] = newValue }
    }

    /// The e-mail addresses of those to whom it was sent.
    public var recipientEmailAddresses: [String]? {
        get { self["recipientEmailAddresses"] }
        set { self["recipientEmailAddresses"] = newValue }
    }

    /// The postal addresses of those who wrote it.
    public var authorAddresses: [String]? {
        get { self["authorAddresses"] }
        set { self["authorAddresses"] = newValue }
    }

    /// The postal addresses of those to whom it was sent.
    public var recipientAddresses: [String]? {
        get { self["recipientAddresses"] }
        set { self["recipientAddresses"] = newValue }
    }

    /// Addresses of instant messages that belong to it.
    public var instantMessageAddresses: [String]? {
        get { self["instantMessageAddresses"] }
        set { self["instantMessageAddresses"] = newValue }
    }

    /// The mailboxes that it is in.
    public var mailboxIdentifiers: [String]? {
        get { self["mailboxIdentifiers"] }
        set { self["mailboxIdentifiers"] = newValue }
    }

    /// The account that it belongs to.
    public var accountIdentifier: String? {
        get { self["accountIdentifier"] }
        set { self["accountIdentifier"] = newValue }
    }

    /// The addresses or numbers of that account.
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

    /// Who contributed to it.
    public var contributors: [String]? {
        get { self["contributors"] }
        set { self["contributors"] = newValue }
    }

    /// Who edited it.
    public var editors: [String]? {
        get { self["editors"] }
        set { self["editors"] = newValue }
    }

    /// Who is seen in it, or is written about.
    public var participants: [String]? {
        get { self["participants"] }
        set { self["participants"] = newValue }
    }

    /// Who published it.
    public var publishers: [String]? {
        get { self["publishers"] }
        set { self["publishers"] = newValue }
    }

    /// The organisations that made it.
    public var organizations: [String]? {
        get { self["organizations"] }
        set { self["organizations"] = newValue }
    }

    /// Whom it is meant for.
    public var audiences: [String]? {
        get { self["audiences"] }
        set { self["audiences"] = newValue }
    }

    /// Contacts that have to do with it, apart from its authors.
    public var contactKeywords: [String]? {
        get { self["contactKeywords"] }
        set { self["contactKeywords"] = newValue }
    }
}
