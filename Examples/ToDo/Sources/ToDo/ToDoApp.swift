// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import Synchronization

/// A command that the user types.
@MainActor
protocol Commands: AnyObject {
    func add(_ text: String)
    /// Opens an item by its number, from 1; nil returns to the list.
    func open(_ number: Int?)
    func write(_ text: String)
    func tick()
}

/// The app: commands of the user, offers to other devices, and activities from other devices.
@MainActor
final class ToDoApp: HandoffApplicationDelegate, NSUserActivityDelegate, Commands {
    static let browsing = "com.example.todo.browsing"
    static let editing = "com.example.todo.editing"

    /// Protected by a lock, because the state for another device is collected in the background.
    private let state = Mutex(ToDoList())
    private var activity: NSUserActivity?
    private let say: (String) -> Void

    init(say: @escaping (String) -> Void = { _ in }) { self.say = say }

    nonisolated var list: ToDoList { state.withLock { $0 } }

    // MARK: Commands of the user

    func add(_ text: String) { change { $0.take(ToDoList.Item(id: UUID(), text: text)) } }

    func open(_ number: Int?) {
        guard let number else { return turn { $0.open = nil } }
        guard list.items.indices.contains(number - 1) else { return say("There is no item \(number).") }
        turn { $0.open = $0.items[number - 1].id }
    }

    func write(_ text: String) { changeOpenItem { $0.text = text } }
    func tick() { changeOpenItem { $0.isDone.toggle() } }

    private func changeOpenItem(_ body: (inout ToDoList.Item) -> Void) {
        guard var item = list.openItem else { return say("Open an item first.") }
        body(&item)
        change { $0.take(item) }
    }

    /// The same activity with a newer state, which is collected only when another device requests it.
    private func change(_ body: (inout ToDoList) -> Void) {
        state.withLock { body(&$0) }
        activity?.title = title
        activity?.needsSave = true
        show()
    }

    /// A new activity replaces the previous one.
    func turn(_ body: (inout ToDoList) -> Void = { _ in }) {
        state.withLock { body(&$0) }
        offer(NSUserActivity(activityType: list.open == nil ? Self.browsing : Self.editing))
    }

    private func show() { say(list.openItem.map { "editing: \($0.line)" } ?? list.lines) }

    // MARK: Offers to other devices

    private var title: String { list.openItem?.text ?? "To-do list" }

    private func offer(_ next: NSUserActivity) {
        activity?.invalidate()
        activity = next
        next.title = title
        next.delegate = self
        next.needsSave = true
        next.becomeCurrent()
        show()
    }

    nonisolated func userActivityWillSave(_ userActivity: NSUserActivity) {
        userActivity.userInfo = list.userInfo
    }

    // MARK: Continuing from other devices

    func application(
        _ application: HandoffApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        say("Continuing...")
        return true
    }

    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        let isEditing = userActivity.activityType == Self.editing
        let userInfo = userActivity.userInfo
        guard state.withLock({ $0.goOn(with: userInfo, isEditing: isEditing) }) else {
            say("What came from the other device is of another version.")
            return false
        }
        // It is now this device's activity, and a third device can continue it.
        offer(userActivity)
        return true
    }

    func application(
        _ application: HandoffApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {
        if (error as? CocoaError)?.code != .userCancelled { say("Could not continue: \(error.localizedDescription)") }
    }
}
