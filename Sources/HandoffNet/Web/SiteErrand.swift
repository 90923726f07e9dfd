// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import HandoffCore
internal import HandoffWire
internal import NIOCore

/// One question to a site: name to address, connection, handshake, answer. Answers once, after `start` returned.
///
/// The name is looked up once, and the connection goes to an address that was judged: there is no second lookup that
/// could say something else.
final class SiteErrand {
    typealias Outcome = Result<SiteAnswer, SiteFailure>

    private let fetch: SiteFetch
    private let surroundings: SiteFetcher.Surroundings
    private var completion: ((Outcome) -> Void)?
    private var overdue: Scheduled<Void>?
    private var request: HTTPClient.Task<SiteAnswer>?

    init(_ fetch: SiteFetch, in surroundings: SiteFetcher.Surroundings, completion: @escaping (Outcome) -> Void) {
        self.fetch = fetch
        self.surroundings = surroundings
        self.completion = completion
    }

    func start(on loop: any EventLoop) {
        overdue = loop.assumeIsolated().scheduleTask(in: TimeAmount(surroundings.time)) {
            self.fail(SiteFailure(.timedOut, "it did not answer in time"))
        }
        loop.assumeIsolated().execute { self.lookUp(on: loop) }
    }

    /// No answer is wanted any more.
    func abandon() {
        completion = nil
        end()
    }

    private func end() {
        overdue?.cancel()
        overdue = nil
        request?.cancel()
        request = nil
    }

    private func finish(_ outcome: Outcome) {
        let completion = completion
        self.completion = nil
        end()
        completion?(outcome)
    }

    private func fail(_ failure: SiteFailure) { finish(.failure(failure)) }

    // MARK: Steps

    private func lookUp(on loop: any EventLoop) {
        guard completion != nil else { return }
        surroundings.lookup(fetch.site.host, loop).assumeIsolated().whenComplete { result in
            guard self.completion != nil else { return }
            let addresses = (try? result.get()) ?? []
            guard !addresses.isEmpty else { return self.fail(SiteFailure(.nameUnknown, "nobody knows its address")) }
            let allowed = self.fetch.site.reach == .anywhere ? addresses : addresses.filter(self.surroundings.isPublic)
            guard !allowed.isEmpty else {
                return self.fail(
                    SiteFailure(.privateAddress, "its address is of this machine or on a private network"))
            }
            self.ask(allowed.prefix(SiteLimits.addresses), on: loop)
        }
    }

    /// One after the other, until one takes the connection.
    private func ask(_ addresses: ArraySlice<SocketAddress>, on loop: any EventLoop) {
        // Failed meanwhile: the time is up.
        guard completion != nil, let address = addresses.first else { return }
        let others = addresses.dropFirst()
        let conversation = SiteConversation(fetch, on: loop)
        do {
            let request = try SiteClient.ask(
                fetch, at: address, within: others.isEmpty ? surroundings.time : SiteLimits.connectTime,
                in: surroundings, on: loop, conversation)
            self.request = request
            request.futureResult.assumeIsolated().whenComplete { result in
                switch result {
                case .success(let answer): self.finish(.success(answer))
                case .failure(let error) where !others.isEmpty && !conversation.isAsked && error.isOfTheWay:
                    self.ask(others, on: loop)
                case .failure(let error): self.fail(SiteFailure(explaining: error))
                }
            }
        } catch {
            fail(SiteFailure(explaining: error))
        }
    }
}

extension Error {
    /// Says that there is no way to an address; there may be one to another. A certificate is the same everywhere.
    fileprivate var isOfTheWay: Bool {
        switch self {
        case is IOError: true
        case let error as HTTPClientError:
            [.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout].contains(error)
        default: false
        }
    }
}
