// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffWire
import Logging

/// For this device's apps and programs. They depend on other devices only through `Membership` and `PeerMessaging`, and
/// on certificates only through `TeamTrust`. Tests can substitute these.
package final class DeviceFeatures {
    let policy: PolicyService
    let presence: PresenceService
    let apps: AppsService
    let launching: LaunchingService
    let webLinks: WebLinksService
    let inbox: InboxService
    let advertising: AdvertisingService
    let phones: PhonesService
    let outbox: OutboxService
    package let streams: StreamsService
    let containers: ContainersService
    let documents: DocumentsService
    let history: HistoryService
    let clients: ClientsService
    /// In the order of starting: features that handle messages precede features that receive them. Streams are cut
    /// before their links are closed: a closed link must not be mistaken for an end.
    let features: [any Feature]

    init(
        _ adapters: Adapters, membership: any Membership, sessions: any PeerMessaging, teams: any TeamTrust,
        handlers: ClientHandlers, settings: Settings, software: Software,
        clientLimits: ClientLimits = ClientLimits(), random: inout Randomness, log: Logger
    ) {
        let (store, time) = (adapters.store, adapters.time)
        var launchingRandom = random.fork()

        policy = PolicyService(store: store, rules: adapters.rules, time: time, log: log)
        presence = PresenceService(time: time, log: log)
        apps = AppsService(catalog: adapters.catalog, teams: teams, membership: membership, time: time, log: log)
        webLinks = WebLinksService(
            apps: apps, sites: adapters.sites, store: store, time: time, random: launchingRandom.fork(), policy: policy,
            isForDevelopment: settings.webDeveloper, roots: adapters.roots, log: log)
        let choices = WebChoicesService(store: store, log: log)
        launching = LaunchingService(
            apps: apps, launcher: adapters.launcher, membership: membership, policy: policy, approval: webLinks,
            choices: choices, store: store, time: time, random: launchingRandom, log: log)
        let webPages = WebPagesService(links: webLinks, apps: apps, launching: launching)
        inbox = InboxService(
            sessions: sessions, membership: membership, policy: policy, store: store, time: time, log: log)
        advertising = AdvertisingService(
            sessions: sessions, inbox: inbox, apps: apps, launching: launching, membership: membership,
            policy: policy, presence: presence, time: time, limits: settings.boardLimits, log: log)
        let continuationRandom = random.fork()
        containers = ContainersService(apps: apps, store: store, places: adapters.documents.places, log: log)
        let origin = DocumentOrigin(containers: containers, disk: adapters.documents, time: time, log: log)
        streams = StreamsService(
            boards: advertising, sessions: sessions, network: adapters.network, apps: apps, membership: membership,
            policy: policy, documents: origin, time: time, random: random.fork(), memory: adapters.memory, log: log)
        let presenters = DocumentPresenters(containers: containers)
        documents = DocumentsService(
            origin: origin, disk: adapters.documents, containers: containers, streams: streams, apps: presenters,
            membership: membership, time: time, random: random.fork(), ownName: settings.name,
            memory: adapters.memory, log: log)
        let continuation = ContinuationService(
            boards: advertising, inbox: inbox, sessions: sessions, apps: apps, launching: launching,
            membership: membership, streams: streams, documents: documents, time: time, random: continuationRandom,
            log: log)
        history = HistoryService(
            index: adapters.history, work: adapters.work, continuation: continuation, apps: apps,
            membership: membership, policy: policy, presence: presence, time: time, unused: settings.history, log: log)
        advertising.onSave = { [weak history] in history?.saved($0, by: $1) }
        advertising.onDelete = { [weak history] in history?.delete($0, of: $1, then: $2) }
        let documentRequests = DocumentRequestHandler(
            containers: containers, apps: apps, presenters: presenters, transfers: continuation,
            membership: membership, disk: adapters.documents, time: time, ownName: settings.name)
        phones = PhonesService(membership: membership, policy: policy, time: time, log: log)
        outbox = OutboxService(
            boards: advertising, sessions: sessions, membership: membership, policy: policy, inbox: inbox,
            phones: phones, store: store, time: time, random: random.fork(), log: log)
        let transferred = { [weak history] (transfer: ActivityTransfer) -> Void in history?.transferred(transfer) }
        (continuation.onTransfer, outbox.onTransfer, phones.onTransfer) = (transferred, transferred, transferred)
        let status = StatusService(
            network: adapters.network, air: adapters.air, membership: membership, sessions: sessions,
            boards: advertising, inbox: inbox, apps: apps, launching: launching, sites: adapters.sites, teams: teams,
            policy: policy, presence: presence,
            phones: phones, streams: streams, time: time, deviceName: settings.name, software: software,
            overrides: settings.overrides)
        var handlers = handlers
        handlers.advertising = advertising
        handlers.continuation = continuation
        handlers.documents = documentRequests
        handlers.history = history
        handlers.launching = launching
        handlers.phones = phones
        handlers.policy = policy
        handlers.presence = presence
        handlers.sending = outbox
        handlers.status = status
        handlers.streams = streams
        handlers.webChoices = WebChoiceRequestHandler(choices: choices, launching: launching)
        handlers.webLinks = webPages
        clients = ClientsService(
            listener: adapters.listener, apps: apps, launching: launching, membership: membership,
            handlers: handlers, streams: streams, work: adapters.work, time: time, deviceName: settings.name,
            software: software, limits: clientLimits, isBusDoor: adapters.isBusDoor, log: log)
        features = [
            policy, presence, apps, webLinks, choices, launching, webPages, inbox, advertising, containers, documents,
            continuation, history, phones, outbox, status, clients, streams,
        ]
    }
}
