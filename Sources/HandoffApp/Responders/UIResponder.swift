// SPDX-License-Identifier: Apache-2.0

/// The responder that delegates inherit from in UIKit: `class AppDelegate: UIResponder, UIApplicationDelegate`.
///
/// On Linux a class can be asked for a new object only if its initializer is `required`. Here it is, so that the framework
/// can make the delegate; in ``Responder`` it is not, so that a view controller may have initializers of its own alone.
/// That is why view controllers, windows and scenes are `Responder`s, and no `UIResponder`s.
@MainActor
open class UIResponder: Responder {
    public required override init() { super.init() }
}
