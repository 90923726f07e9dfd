// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The running apps, which may have documents open. They are asked to release a document before it is replaced, and
/// notified afterwards.
final class DocumentPresenters {
    private let containers: ContainersService
    private var clients: [ClientID: any Client] = [:]

    init(containers: ContainersService) { self.containers = containers }

    func clientOpened(_ client: any Client) {
        if client.audience == .app { clients[client.id] = client }
    }

    func clientClosed(_ client: any Client) { clients[client.id] = nil }

    /// Asks the apps that can reach it to save and release it. `then` is called once, perhaps before this returns.
    /// False: an app has unsaved changes, or did not answer within `deadline`.
    func letGo(
        _ path: AbsolutePath, for deviceName: DisplayText, deadline: Duration, then: @escaping (Bool) -> Void
    ) {
        let asked = clients(that: path)
        guard !asked.isEmpty else { return then(true) }
        var left = asked.count
        var isSaved = true
        for client in asked {
            let question = LocalMessage.documents(.documentComing(path, deviceName: deviceName))
            client.request(question, deadline: deadline) { result in
                switch result {
                case .success(.done(accepted: true)): break
                // The app is gone, with its unsaved changes; or its version does not have documents open.
                case .failure(let failure) where failure.code == .appGone || failure.code == .unimplemented: break
                case .success, .failure: isSaved = false
                }
                left -= 1
                if left == 0 { then(isSaved) }
            }
        }
    }

    func placed(_ document: PlacedDocument) {
        for client in clients(that: document.path) { client.send(.documents(.documentPlaced(document))) }
    }

    private func clients(that path: AbsolutePath) -> [any Client] {
        clients.values.filter { client in
            client.bundle.map { containers.container(of: path, for: $0) != nil } ?? false
        }
    }
}

/// The destination and the source of the documents of one continuation.
struct DocumentWishes {
    let continuation: ContinuationID
    let activity: ActivityID
    let device: DeviceID
    let deviceName: DisplayText
    let team: Team
    /// Nil: a program without a bundle.
    let app: BundleID?

    func pass(_ index: UInt32) -> StreamPass {
        StreamPass(
            device: device, activity: activity, continuation: continuation, team: team, direction: .receiving,
            document: index)
    }
}

struct BroughtDocuments {
    let state: ActivityState
    let documents: [DeliveredDocument]
}
