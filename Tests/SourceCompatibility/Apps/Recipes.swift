// SPDX-License-Identifier: Apache-2.0

// The modifiers as in SwiftUI's documentation: a window with the list of recipes, and a window for each open recipe.
// Ported: the body of a view is declared on its window after each change of state.

import Foundation
import HandoffApp

@MainActor
class RecipesApp {
    static let viewing = "com.example.recipes.viewing"

    init() {
        UIApplication.shared.sceneDeclarations = [
            HandoffSceneDeclaration("list") { scene in
                report("list opens")
                return RecipeWindow(in: scene, showing: nil)
            },
            HandoffSceneDeclaration("recipe") { scene in
                report("recipe opens")
                return RecipeWindow(in: scene, showing: "")
            }
            .handlesExternalEvents(matching: ["recipe-"]),
        ]
    }
}

@MainActor
class RecipeWindow {
    let window: UIWindow
    let name: String
    var recipe: String? {
        didSet { body() }
    }

    init(in scene: UIWindowScene, showing recipe: String?) {
        window = UIWindow(windowScene: scene)
        name = recipe == nil ? "list" : "recipe"
        self.recipe = recipe
        body()
        User.says = { [weak self] line in
            self?.recipe = line
            report("\(self?.name ?? "") shows \(line)")
        }
    }

    func body() {
        window
            .userActivity(RecipesApp.viewing, element: recipe) { recipe, activity in
                activity.title = recipe
                activity.targetContentIdentifier = "recipe-\(recipe)"
                activity.userInfo = ["recipe": recipe]
            }
            .onContinueUserActivity(RecipesApp.viewing) { [weak self] activity in
                guard let self, let recipe = activity.userInfo?["recipe"] as? String else { return }
                self.recipe = recipe
                report("\(name) continues \(recipe)")
            }
            .handlesExternalEvents(preferring: recipe.map { ["recipe-\($0)"] } ?? [], allowing: [])
    }
}
