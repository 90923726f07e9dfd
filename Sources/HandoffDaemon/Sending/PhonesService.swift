// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// Hands pages and files to programs that are connected to phones, through `handoff-bus`. Phones are not members of the
/// account: only the user's choice sends anything to them.
final class PhonesService: Feature {
    static let sharesUnderWay = 16
    /// Longer than `handoff-bus` waits for an answer on the bus.
    static let handOver = Duration.seconds(30)

    private let membership: any Membership
    private let policy: PolicyService
    private let time: any TimeSource
    private let log: Logger
    private var book = PhoneBook()
    private var clients: [ClientID: any Client] = [:]
    private var watched = WatchedContent<[Phone]>(noun: "lists of phones") { .phones(.phoneList($0)) }
    private var underWay = 0
    var onTransfer: (ActivityTransfer) -> Void = { _ in }

    init(membership: any Membership, policy: PolicyService, time: any TimeSource, log: Logger) {
        self.membership = membership
        self.policy = policy
        self.time = time
        self.log = log
    }

    func start() throws {}
    func stop() {}

    var phones: [Phone] { book.phones }

    /// Nil: a device of the account has that name, or no recent phone has it. Prefers a device, because a phone chooses
    /// its own name and id.
    func choose(_ name: String) throws(Failure) -> Phone? {
        isDevice(name) ? nil : try book.choose(name)?.phone
    }

    private func isDevice(_ name: String) -> Bool {
        guard membership.account != nil else { return false }
        return !DeviceChoice.matches(name, of: membership.members.map { (device: $0.device, name: $0.name) }).isEmpty
    }

    /// The activity's web page. `app`: the activity's.
    func hand(_ state: ActivityState, of app: BundleID?, to phone: Phone, reply: @escaping ClientReply) {
        guard let url = state.webpageURL else {
            return reply(.failure(Failure(.notAllowed, "this activity has no web page, and a phone accepts only that")))
        }
        guard let page = PageAddress(url) else {
            let reason = "only web pages without a user name or password in their address can be sent to a phone"
            return reply(.failure(Failure(.notAllowed, reason)))
        }
        hand(.page(page), to: phone, of: app) { [weak self] answer in
            reply(answer)
            guard let self, case .phones(.handedToPhone) = answer else { return }
            onTransfer(
                ActivityTransfer(
                    .sent, at: time.wallTime, device: nil, deviceName: phone.name, type: state.type,
                    title: state.title.map { DisplayText(cleaning: $0) }, app: app, appName: DisplayText(cleaning: ""),
                    persistentIdentifier: state.persistentIdentifier.map { ExactText($0) }))
        }
    }

    /// Answers once the phone's program has accepted the item. `app`: the page's.
    func hand(_ item: PhoneItem, to phone: Phone, of app: BundleID? = nil, reply: @escaping ClientReply) {
        do throws(Failure) {
            if let obstacle = policy.obstacle(to: .advertising, of: app) {
                throw Failure(.notAllowed, obstacle.reason)
            }
            guard let client = try book.choose(phone.id.text).flatMap({ clients[$0.client] }) else {
                throw Failure(.deviceLost, "\(phone.link.name) cannot reach \(phone.name) now")
            }
            guard underWay < Self.sharesUnderWay else {
                throw Failure(.limitReached, "\(Self.sharesUnderWay) items are being handed to phones already")
            }
            underWay += 1
            let message = LocalMessage.phones(.shareWithPhone(item, phone.id, phone.link))
            client.request(message, deadline: Self.handOver) { [weak self] result in
                self?.underWay -= 1
                reply(Self.answer(result, of: phone))
            }
        } catch {
            reply(.failure(error))
        }
    }

    private static func answer(_ result: Result<LocalMessage, Failure>, of phone: Phone) -> LocalMessage {
        switch result {
        case .success(.done(accepted: true)): .phones(.handedToPhone(phone))
        case .success: .failure(Failure(.malformed, "handoff-bus sent an unexpected answer"))
        case .failure(let failure) where failure.code == .appGone:
            .failure(Failure(.appGone, "handoff-bus, which talks to \(phone.link.name), has quit"))
        case .failure(let failure) where failure.code == .appTimedOut:
            .failure(Failure(.appTimedOut, "\(phone.link.name) did not answer"))
        case .failure(let failure): .failure(failure)
        }
    }
}

extension PhonesService: LocalMessageHandler {
    func clientCaughtUp(_ client: any Client) { watched.refresh { phones } }

    func clientClosed(_ client: any Client) {
        watched.clientClosed(client)
        guard clients.removeValue(forKey: client.id) != nil else { return }
        book.clientClosed(client.id)
        log.debug("Phones are no longer reported", metadata: ["pid": "\(client.processID)"])
        watched.refresh { phones }
    }

    func handle(_ message: LocalMessage.Phones, from client: any Client, reply: @escaping ClientReply) {
        do throws(Failure) {
            switch message {
            case .setPhones(let phones):
                clients[client.id] = client
                book.reported(phones, by: client.id)
                log.debug("Reachable phones reported", metadata: ["count": "\(phones.count)"])
                reply(.done(accepted: true))
                watched.refresh { phones }
            case .listPhones(let watch):
                if watch { try watched.watch(phones, by: client, reply: reply) }
                reply(.phones(.phoneList(phones)))
            case .sendToPhone(let item, let name):
                guard let phone = try choose(name) else { throw isDevice(name) ? .isDevice : .noSuchPhone }
                hand(item, to: phone, reply: reply)
            case .phoneList, .handedToPhone, .shareWithPhone: throw .notForTheDaemon
            }
        } catch {
            reply(.failure(error))
        }
    }
}

extension Failure {
    fileprivate static let isDevice = Failure(
        .notAllowed,
        "that is a device of the account, which accepts activities; for a phone of the same name, add \"(phone)\" or "
            + "give its ID")
    fileprivate static let noSuchPhone = Failure(
        .noSuchDevice, "no phone that KDE Connect or GSConnect can reach has that name or ID")
}
