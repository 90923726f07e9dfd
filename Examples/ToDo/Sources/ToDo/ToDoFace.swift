// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp

/// The app's second interface, with declarative hooks: the screen and the offers to other devices follow from the list.
/// The app makes nothing current, saves nothing and ends nothing itself, and has no delegate.
@MainActor
final class ToDoFace {
    private(set) var list = ToDoList() { didSet { screen.show(page) } }
    let screen: Screen
    private let say: (String) -> Void

    init(in scene: UIWindowScene, say: @escaping (String) -> Void = { _ in }) {
        self.say = say
        screen = Screen(in: scene, say: say)
        screen.window
            .onContinueUserActivity(ToDoApp.browsing) { [weak self] in self?.goOn(with: $0, isEditing: false) }
            .onContinueUserActivity(ToDoApp.editing) { [weak self] in self?.goOn(with: $0, isEditing: true) }
        screen.show(page)
    }

    private var page: Page {
        if let item = list.openItem {
            Page(item.id, "editing: \(item.line)")
                .userActivity(ToDoApp.editing, element: item) { [list] item, activity in
                    activity.title = item.text
                    activity.addUserInfoEntries(from: list.userInfo)
                }
        } else {
            Page("list", list.lines)
                .userActivity(ToDoApp.browsing) { [list] activity in
                    activity.title = "To-do list"
                    activity.addUserInfoEntries(from: list.userInfo)
                }
        }
    }

    private func goOn(with activity: NSUserActivity, isEditing: Bool) {
        // A copy: an invalid state is not shown.
        var next = list
        guard next.goOn(with: activity.userInfo, isEditing: isEditing) else {
            return say("What came from the other device is of another version.")
        }
        list = next
    }
}

extension ToDoFace: Commands {
    func add(_ text: String) { list.take(ToDoList.Item(id: UUID(), text: text)) }

    func open(_ number: Int?) {
        guard let number else { return list.open = nil }
        guard list.items.indices.contains(number - 1) else { return say("There is no item \(number).") }
        list.open = list.items[number - 1].id
    }

    func write(_ text: String) { changeOpenItem { $0.text = text } }
    func tick() { changeOpenItem { $0.isDone.toggle() } }

    private func changeOpenItem(_ body: (inout ToDoList.Item) -> Void) {
        guard var item = list.openItem else { return say("Open an item first.") }
        body(&item)
        list.take(item)
    }
}

/// The app with that interface.
@MainActor
final class DeclarativeToDo {
    /// Nil while the window is closed.
    private(set) weak var face: ToDoFace?

    init(say: @escaping (String) -> Void = { _ in }) {
        UIApplication.shared.sceneDeclarations = [
            HandoffSceneDeclaration("list") { [unowned self] scene in
                let face = ToDoFace(in: scene, say: say)
                self.face = face
                return face
            }
        ]
    }
}
