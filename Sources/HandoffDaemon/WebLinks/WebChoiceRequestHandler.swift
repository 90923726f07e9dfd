// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Handles the user's choices for the pages of a host, if they are possible. It uses the choices and launching; neither
/// depends on it.
final class WebChoiceRequestHandler: LocalMessageHandler {
    private let choices: WebChoicesService
    private let launching: LaunchingService

    init(choices: WebChoicesService, launching: LaunchingService) {
        self.choices = choices
        self.launching = launching
    }

    func handle(_ message: LocalMessage.WebChoices, from client: any Client, reply: @escaping ClientReply) {
        do throws(Failure) {
            switch message {
            case .listWebChoices: break
            case .chooseForHost(let host, let taker): try choose(taker, for: host)
            case .webChoices: throw .notForTheDaemon
            }
            reply(.webChoices(.webChoices(choices.list)))
        } catch {
            reply(.failure(error))
        }
    }

    private func choose(_ taker: WebTaker?, for host: WebHost) throws(Failure) {
        if case .app(let bundle) = taker {
            let resolution = launching.resolve(pageOf: host, wish: Resolution.Wish(app: bundle))
            if case .nothing(let why) = resolution.target { throw Failure(.notAllowed, why) }
        }
        try choices.choose(taker, for: host)
    }
}
