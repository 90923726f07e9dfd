// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A class of which the framework can make an object, knowing no more than the class: the application's delegate with
/// `@main`, a scene's with `delegateClass`, a document's with `NSDocumentClass`.
///
/// Only for a class that does not inherit from `NSObject`. Of one that does, as UIKit and AppKit have it, an object is made
/// as there, by its `init()`.
@preconcurrency @MainActor
public protocol HandoffInstantiable: AnyObject {
    init()
}

/// Of classes that are known by their metatype alone.
@MainActor
enum NewObject {
    /// By the class's own `init()`, or by the nearest one above it that it inherits; for a class that has neither the Swift
    /// runtime ends the program, naming the class. Nil for one that is no `NSObject` and not ``HandoffInstantiable``.
    static func of(_ objectClass: AnyClass) -> AnyObject? {
        if let objectClass = objectClass as? any HandoffInstantiable.Type { return objectClass.init() }
        return (objectClass as? NSObject.Type)?.newByHandoff()
    }

    static func canBeMade(_ objectClass: AnyClass) -> Bool {
        objectClass is any HandoffInstantiable.Type || objectClass is NSObject.Type
    }
}

// Where there is Objective-C, `[Class new]` makes an object of any class. Swift has the same in each class's table, which a
// convenience initializer calls `init()` through, but lets only `required` initializers be called on a metatype. The two
// declarations are one function: an initializer that is allocating, and a static method, take the metatype in one place
// and return what they own in the same. docs/source-compatibility.md.
extension NSObject {
    @_silgen_name("handoff_app_new_object")
    package convenience init(newByHandoff: ()) { self.init() }

    @_silgen_name("handoff_app_new_object")
    fileprivate static func newByHandoff() -> NSObject
}
