// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire
internal import Synchronization

package final class MemoryDocumentHistories: DocumentHistories {
    private struct Key: Hashable {
        let container: ContainerID
        let path: DocumentPath
    }

    private let histories = Mutex<[Key: DocumentHistory]>([:])

    package init() {}

    package var all: [DocumentHistory] { histories.withLock { Array($0.values) } }

    package func history(of container: ContainerID, at path: DocumentPath) throws(Failure) -> DocumentHistory? {
        histories.withLock { $0[Key(container: container, path: path)] }
    }

    package func keep(_ history: DocumentHistory) throws(Failure) {
        histories.withLock { $0[Key(container: history.container, path: history.path)] = history }
    }
}
