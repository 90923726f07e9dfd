// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension LocalMessage {
    package enum Phones: Hashable, Sendable {
        /// All phones that the client can hand items to now.
        case setPhones([Phone])
        case listPhones(watch: Bool = false)
        case phoneList([Phone])
        /// By name or id. Answered with `handedToPhone`.
        case sendToPhone(PhoneItem, to: String)
        /// Its program accepted the item; the phone may not have received it.
        case handedToPhone(Phone)
        /// From the daemon. Answered with `done`.
        case shareWithPhone(PhoneItem, PhoneID, PhoneLink)
    }
}

/// The program connected to a phone, in order of preference.
package enum PhoneLink: Int, Hashable, Sendable, CaseIterable {
    case kdeConnect = 1
    case gsConnect = 2

    /// Its proper name.
    package var name: String {
        switch self {
        case .kdeConnect: "KDE Connect"
        case .gsConnect: "GSConnect"
        }
    }
}

/// A program of this desktop is paired with it and can reach it. Not a device of the account.
package struct Phone: Hashable, Sendable {
    package var id: PhoneID
    package var name: DisplayText
    /// As its program reports it: it may be a computer.
    package var kind: DeviceKind
    package var link: PhoneLink

    package init(id: PhoneID, name: DisplayText, kind: DeviceKind, link: PhoneLink) {
        self.id = id
        self.name = name
        self.kind = kind
        self.link = link
    }

    /// Follows a phone's name if a device of the account has the same.
    package static let nameSuffix = " (phone)"
}

package enum PhoneItem: Hashable, Sendable {
    case page(PageAddress)
    /// A regular file that the sender may read.
    case file(AbsolutePath)
}

extension LocalMessage.Phones {
    var wire: PBLocalFrame.OneOf_Body {
        switch self {
        case .setPhones(let phones): .setPhones(.with { $0.phones = phones.map(PBPhone.init) })
        case .listPhones(let watch): .listPhones(.with { $0.watch = watch })
        case .phoneList(let phones): .phoneList(.with { $0.phones = phones.map(PBPhone.init) })
        case .sendToPhone(let item, let phone):
            .sendToPhone(
                .with {
                    $0.item = PBPhoneItem(item)
                    $0.phone = phone
                })
        case .handedToPhone(let phone): .handedToPhone(.with { $0.phone = PBPhone(phone) })
        case .shareWithPhone(let item, let phone, let link):
            .shareWithPhone(
                .with {
                    $0.item = PBPhoneItem(item)
                    $0.phone = phone.text
                    $0.link = PBPhoneLink(link)
                })
        }
    }

    init?(_ body: PBLocalFrame.OneOf_Body) throws(WireError) {
        switch body {
        case .setPhones(let list): self = .setPhones(try list.phones.native())
        case .listPhones(let list): self = .listPhones(watch: list.watch)
        case .phoneList(let list): self = .phoneList(list.phones.known)
        case .sendToPhone(let message): self = .sendToPhone(try PhoneItem(message.item), to: message.phone)
        case .handedToPhone(let message): self = .handedToPhone(try Phone(message.phone))
        case .shareWithPhone(let message):
            self = .shareWithPhone(
                try PhoneItem(message.item), try PhoneID(message.phone), try PhoneLink(message.link))
        default: return nil
        }
    }
}

extension [PBPhone] {
    fileprivate func native() throws(WireError) -> [Phone] {
        guard count <= Limits.phones else {
            throw WireError(.limitReached, "a list has at most \(Limits.phones) phones")
        }
        var phones: [Phone] = []
        for phone in self { phones.append(try Phone(phone)) }
        return phones
    }
}

extension [PBPhone] {
    var known: [Phone] { prefix(Limits.phones).compactMap { try? Phone($0) } }
}

extension PBPhone {
    init(_ phone: Phone) {
        self.init()
        id = phone.id.text
        name = phone.name.text
        kind = PBDeviceKind(rawValue: phone.kind.rawValue) ?? .unspecified
        link = PBPhoneLink(phone.link)
    }
}

extension Phone {
    init(_ message: PBPhone) throws(WireError) {
        self.init(
            id: try PhoneID(message.id), name: .name(message.name),
            kind: DeviceKind(rawValue: message.kind.rawValue) ?? .unspecified, link: try PhoneLink(message.link))
    }
}

extension PBPhoneLink {
    fileprivate init(_ link: PhoneLink) { self = PBPhoneLink(rawValue: link.rawValue) ?? .unspecified }
}

extension PhoneLink {
    fileprivate init(_ link: PBPhoneLink) throws(WireError) {
        guard let known = PhoneLink(rawValue: link.rawValue) else {
            throw WireError(.unknownKind, "a phone of a program that this version does not know")
        }
        self = known
    }
}

extension PBPhoneItem {
    fileprivate init(_ item: PhoneItem) {
        self.init()
        switch item {
        case .page(let page): self.item = .page(page.url)
        case .file(let path): self.item = .file(path.bytes.data)
        }
    }
}

extension PhoneItem {
    fileprivate init(_ message: PBPhoneItem) throws(WireError) {
        switch message.item {
        case .page(let url)?:
            guard let page = PageAddress(url) else { throw .noPage }
            self = .page(page)
        case .file(let path)?: self = .file(try AbsolutePath(bytes: path))
        case nil: throw WireError(.unknownKind, "an item for a phone that is neither a page nor a file")
        }
    }
}

extension WireError {
    fileprivate static let noPage = WireError(
        .badIdentifier, "not the address of a web page, or an address with a user name or password")
}
