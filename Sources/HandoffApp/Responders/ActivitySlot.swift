// SPDX-License-Identifier: Apache-2.0

internal import Handoff
internal import HandoffClient
internal import HandoffSystem

@MainActor
protocol UserActivityUpdating: AnyObject, Sendable {
    func updateUserActivityState(_ userActivity: NSUserActivity)
}

/// The `userActivity` of a responder or document, usable on any thread. An activity is managed until its last owner
/// leaves.
///
/// Lock order: a slot's lock before a center's.
final class ActivitySlot: ActivityOwner {
    private struct Observer {
        let changed: @Sendable (NSUserActivity?) -> Void
        let ended: @Sendable () -> Void
    }

    private struct State {
        var activity: NSUserActivity?
        weak var holder: (any UserActivityUpdating)?
        var observers: [UInt64: Observer] = [:]
        var lastObserver: UInt64 = 0
    }

    let isAboutFile: Bool
    private let state = Lock(State())

    init(isAboutFile: Bool = false) { self.isAboutFile = isAboutFile }

    deinit {
        let (activity, observers) = state.withLock { ($0.activity, $0.observers) }
        for observer in observers.values { observer.ended() }
        guard let activity else { return }
        if activity.removeOwner(self) { activity.invalidate() }
        // The last reference may go while the screen state changes.
        UIApplication.ownersChanged(of: activity, .laterOnMainThread)
    }

    var holder: (any UserActivityUpdating)? {
        get { state.withLock { $0.holder } }
        set { state.withLock { $0.holder = newValue } }
    }

    var activity: NSUserActivity? {
        get { state.withLock { $0.activity } }
        set {
            let change = state.withLock { state -> (old: NSUserActivity?, isOldOver: Bool, observers: [Observer])? in
                guard state.activity !== newValue else { return nil }
                let old = state.activity
                // First, because its only other owner may be leaving now.
                newValue?.addOwner(self)
                let isOldOver = old?.removeOwner(self) ?? false
                state.activity = newValue
                return (old, isOldOver, state.observers.sorted { $0.key < $1.key }.map(\.value))
            }
            guard let change else { return }
            for observer in change.observers { observer.changed(newValue) }
            if let newValue {
                UIApplication.ownersChanged(of: newValue, isAssigned: true)
            }
            if let old = change.old, old.center !== newValue?.center { UIApplication.ownersChanged(of: old) }
            // Last, when the replacement is current, so that other devices see no gap.
            if change.isOldOver { change.old?.invalidate() }
        }
    }

    // MARK: Observing

    func observe(
        _ changed: @escaping @Sendable (NSUserActivity?) -> Void, ended: @escaping @Sendable () -> Void = {}
    ) -> HandoffUserActivityObservation {
        let number = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = Observer(changed: changed, ended: ended)
            return state.lastObserver
        }
        return HandoffUserActivityObservation { [weak self] in self?.forget(number) }
    }

    private func forget(_ observer: UInt64) {
        _ = state.withLock { $0.observers.removeValue(forKey: observer) }
    }

    var changes: AsyncStream<NSUserActivity?> {
        let (changes, continuation) = AsyncStream.makeStream(
            of: NSUserActivity?.self, bufferingPolicy: .bufferingNewest(1))
        let observation = observe({ continuation.yield($0) }, ended: { continuation.finish() })
        continuation.onTermination = { _ in observation.invalidate() }
        return changes
    }
}

extension NSUserActivity {
    @MainActor
    var ownerDocuments: [HandoffDocument] {
        owners.compactMap { ($0 as? ActivitySlot)?.holder as? HandoffDocument }
    }

    @MainActor
    func updateOwners() {
        for case let slot as ActivitySlot in owners { slot.holder?.updateUserActivityState(self) }
    }
}
