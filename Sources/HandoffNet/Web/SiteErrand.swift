// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

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
    private var channel: (any Channel)?

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
        channel?.close(promise: nil)
        channel = nil
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
            self.prepareTrust(for: Array(allowed.prefix(SiteLimits.addresses)), on: loop)
        }
    }

    /// Anew for each question: a few hundred roots in memory all week would serve nobody.
    private func prepareTrust(for addresses: [SocketAddress], on loop: any EventLoop) {
        let roots = surroundings.roots
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try NIOSSLContext(roots: roots) }
            .assumeIsolated().whenComplete { result in
                switch result {
                case .success(let trust): self.connect(to: addresses[...], trust, on: loop)
                case .failure(let error):
                    self.fail(SiteFailure(.unreachable, "the roots that this device trusts cannot be read: \(error)"))
                }
            }
    }

    /// One after the other, until one takes the connection.
    private func connect(to addresses: ArraySlice<SocketAddress>, _ trust: NIOSSLContext, on loop: any EventLoop) {
        // Failed meanwhile: the time is up.
        guard completion != nil, let address = addresses.first else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(SiteLimits.connectTime))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel, trust) }
            }
            .connect(to: address.at(port: surroundings.port))
            .assumeIsolated().whenComplete { result in
                switch result {
                case .success(let channel):
                    guard self.completion != nil else { return channel.close(promise: nil) }
                    self.channel = channel
                case .failure(let error):
                    guard addresses.count > 1 else { return self.fail(SiteFailure(explaining: error)) }
                    self.connect(to: addresses.dropFirst(), trust, on: loop)
                }
            }
    }

    private func prepare(_ channel: any Channel, _ trust: NIOSSLContext) throws {
        let operations = channel.pipeline.syncOperations
        try operations.addHandlers([
            try NIOSSLClientHandler(context: trust, serverHostname: fetch.site.host.name),
            ByteBudget(of: SiteLimits.answerBytes),
        ])
        try operations.addHTTPClientHandlers()
        let conversation = SiteConversation(fetch, port: surroundings.port) { [weak self] in self?.finish($0) }
        try operations.addHandler(conversation)
    }
}

extension NIOSSLContext {
    /// `roots` nil: the system's.
    fileprivate convenience init(roots: [[UInt8]]?) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .seconds(1)
        if let roots {
            configuration.trustRoots = .certificates(
                try roots.map { try NIOSSLCertificate(bytes: $0, format: .der) })
        }
        try self.init(configuration: configuration)
    }
}

extension SocketAddress {
    fileprivate func at(port: Int) -> SocketAddress {
        var address = self
        address.port = port
        return address
    }
}
