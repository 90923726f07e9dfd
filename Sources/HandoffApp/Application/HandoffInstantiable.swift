// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A class that the framework can instantiate by its metatype: the application's delegate with `@main`, a scene's
/// delegate with `delegateClass`, a document with `NSDocumentClass`.
///
/// Needed only for a class that does not inherit from `NSObject`. A subclass of `NSObject` is created by its `init()`,
/// as in UIKit and AppKit.
@preconcurrency @MainActor
public protocol HandoffInstantiable: AnyObject {
    init()
}

@MainActor
enum NewObject {
    /// Uses the class's own `init()`, or the nearest one it inherits. If there is neither, the Swift runtime ends the
    /// program and names the class. Nil if the class is neither an `NSObject` nor ``HandoffInstantiable``.
    static func of(_ objectClass: AnyClass) -> AnyObject? {
        if let objectClass = objectClass as? any HandoffInstantiable.Type { return objectClass.init() }
        return (objectClass as? NSObject.Type)?.newByHandoff()
    }

    static func canBeMade(_ objectClass: AnyClass) -> Bool {
        objectClass is any HandoffInstantiable.Type || objectClass is NSObject.Type
    }
}

// In Objective-C, `[Class new]` creates an object of any class. Swift has `init()` in each class's table too, and a
// convenience initializer calls it through that table, but only `required` initializers can be called on a metatype.
// The two declarations below are one function: an allocating initializer and a static method pass the metatype and
// return an owned result in the same way. See docs/source-compatibility.md.
extension NSObject {
    @_silgen_name("handoff_app_new_object")
    package convenience init(newByHandoff: ()) { self.init() }

    @_silgen_name("handoff_app_new_object")
    fileprivate static func newByHandoff() -> NSObject
}
