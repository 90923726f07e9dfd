// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp

struct Recipe {
    let id: Int
    var name: String { "Recipe \(id)" }

    /// Nil if the external value is missing or invalid.
    init?(id: Int?) {
        guard let id, id > 0 else { return nil }
        self.id = id
    }
}

@MainActor final class RecipeWindow {
    let window: UIWindow
    var recipe: Recipe? { didSet { declare() } }

    init(in scene: UIWindowScene) {
        window = UIWindow(windowScene: scene)
        declare()
    }

    private func declare() {
        window
            .userActivity("com.example.recipes.viewing", element: recipe) { recipe, activity in
                activity.title = recipe.name
                activity.targetContentIdentifier = "recipe-\(recipe.id)"
                activity.addUserInfoEntries(from: ["id": recipe.id])
            }
            .onContinueUserActivity("com.example.recipes.viewing") { [weak self] activity in
                self?.recipe = Recipe(id: activity.userInfo?["id"] as? Int)
            }
            .onOpenURL { [weak self] page in
                self?.recipe = Recipe(id: Int(page.lastPathComponent))
            }
            .handlesExternalEvents(preferring: recipe.map { ["recipe-\($0.id)"] } ?? [], allowing: [])
    }
}

@MainActor final class Node: HandoffDeclaredView {
    let viewIdentity: AnyHashable
    let viewLifetime: HandoffViewLifetime

    init(_ identity: AnyHashable, in window: UIWindow) {
        viewIdentity = identity
        viewLifetime = HandoffViewLifetime(in: window)
    }
}

@MainActor func declareScenes() {
    UIApplication.shared.sceneDeclarations = [
        HandoffSceneDeclaration("list") { scene in RecipeWindow(in: scene) },
        HandoffSceneDeclaration("recipe") { scene in RecipeWindow(in: scene) }
            .handlesExternalEvents(matching: ["recipe-"]),
    ]
}
