// SPDX-License-Identifier: Apache-2.0

/// A delegate that the framework makes by itself, knowing no more than its class: the application's with `@main`, a
/// scene's with `delegateClass`.
///
/// A class that inherits from ``UIResponder`` needs nothing for it. Another one, as an `NSObject`, is `final`, or has a
/// `required init()`.
@MainActor
public protocol Instantiable: AnyObject {
    init()
}
