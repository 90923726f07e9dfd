// SPDX-License-Identifier: Apache-2.0

internal import Handoff
internal import HandoffClient
internal import HandoffSystem

/// Whose `userActivity` is managed: a responder or a document.
@MainActor
protocol UserActivityUpdating: AnyObject, Sendable {
    func updateUserActivityState(_ userActivity: NSUserActivity)
}

/// The `userActivity` of one responder or document, for any thread. Who holds an activity here owns it: it is managed for
/// as long as there is such an owner, and over when the last one leaves or goes.
///
/// Order of locks: a slot's before a center's.
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
        // Whoever lets the last reference go may be in the middle of a change to what is looked at.
        UIApplication.ownersChanged(of: activity, .laterOnMainThread)
    }

    /// Who is asked for its part of the activity's state.
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
                // The new one first: it may be another owner's whose turn to leave it is.
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
            // Last: what took its place is current by now, and other devices see no gap.
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
    /// Those among its owners.
    @MainActor
    var ownerDocuments: [HandoffDocument] {
        owners.compactMap { ($0 as? ActivitySlot)?.holder as? HandoffDocument }
    }

    /// Each owner puts in its part.
    @MainActor
    func updateOwners() {
        for case let slot as ActivitySlot in owners { slot.holder?.updateUserActivityState(self) }
    }
}
