// SPDX-License-Identifier: Apache-2.0

import HandoffWire

protocol LocalMessageHandler<LocalMessages>: AnyObject {
    associatedtype LocalMessages

    func clientOpened(_ client: any Client)
    func clientCaughtUp(_ client: any Client)
    func clientClosed(_ client: any Client)
    func handle(_ message: LocalMessages, from client: any Client, reply: @escaping ClientReply)
}

extension LocalMessageHandler {
    func clientOpened(_ client: any Client) {}
    func clientCaughtUp(_ client: any Client) {}
    func clientClosed(_ client: any Client) {}
}

/// Handlers must not hold the owner of this value.
struct ClientHandlers {
    var advertising: (any LocalMessageHandler<LocalMessage.Advertising>)?
    var continuation: (any LocalMessageHandler<LocalMessage.Continuation>)?
    var documents: (any LocalMessageHandler<LocalMessage.Documents>)?
    var history: (any LocalMessageHandler<LocalMessage.History>)?
    var identity: (any LocalMessageHandler<LocalMessage.Identity>)?
    var launching: (any LocalMessageHandler<LocalMessage.Launching>)?
    var phones: (any LocalMessageHandler<LocalMessage.Phones>)?
    var policy: (any LocalMessageHandler<LocalMessage.Policy>)?
    var presence: (any LocalMessageHandler<LocalMessage.Presence>)?
    var sending: (any LocalMessageHandler<LocalMessage.Sending>)?
    var status: (any LocalMessageHandler<LocalMessage.Status>)?
    var streams: (any LocalMessageHandler<LocalMessage.Streams>)?
    var teams: (any LocalMessageHandler<LocalMessage.Teams>)?
    var webChoices: (any LocalMessageHandler<LocalMessage.WebChoices>)?
    var webLinks: (any LocalMessageHandler<LocalMessage.WebLinks>)?

    /// Launching first: the others ask it for running apps.
    var all: [any LocalMessageHandler] {
        let all: [(any LocalMessageHandler)?] = [
            launching, advertising, continuation, documents, history, streams, identity, phones, policy, presence,
            sending, status, teams, webChoices, webLinks,
        ]
        return all.compactMap { $0 }
    }

    func pass(_ message: LocalMessage, from client: any Client, reply: @escaping ClientReply) -> Bool {
        func pass<Message>(_ message: Message, to handler: (any LocalMessageHandler<Message>)?) -> Bool {
            handler?.handle(message, from: client, reply: reply)
            return handler != nil
        }
        return switch message {
        case .advertising(let message): pass(message, to: advertising)
        case .continuation(let message): pass(message, to: continuation)
        case .documents(let message): pass(message, to: documents)
        case .history(let message): pass(message, to: history)
        case .identity(let message): pass(message, to: identity)
        case .launching(let message): pass(message, to: launching)
        case .phones(let message): pass(message, to: phones)
        case .policy(let message): pass(message, to: policy)
        case .presence(let message): pass(message, to: presence)
        case .sending(let message): pass(message, to: sending)
        case .status(let message): pass(message, to: status)
        case .streams(let message): pass(message, to: streams)
        case .teams(let message): pass(message, to: teams)
        case .webChoices(let message): pass(message, to: webChoices)
        case .webLinks(let message): pass(message, to: webLinks)
        case .hello, .welcome, .failure, .done, .unknown, .unreadable: false
        }
    }
}
