// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Running apps: they release a document before it is replaced, and are notified afterwards.
final class DocumentPresenters {
    private let containers: ContainersService
    private var clients: [ClientID: any Client] = [:]

    init(containers: ContainersService) { self.containers = containers }

    func clientOpened(_ client: any Client) {
        if client.audience == .app { clients[client.id] = client }
    }

    func clientClosed(_ client: any Client) { clients[client.id] = nil }

    /// Asks apps that can reach the document to save and release it. Calls `then` once, perhaps before this returns:
    /// with false if an app has unsaved changes or did not answer in time.
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
                // The app is gone, with its unsaved changes, or its version opens no documents.
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

struct DocumentWishes {
    let continuation: ContinuationID
    let activity: ActivityID
    let device: DeviceID
    let deviceName: DisplayText
    let team: Team
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
