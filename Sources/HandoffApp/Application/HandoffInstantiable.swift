// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A class that the framework can instantiate, such as a delegate. Subclasses of `NSObject` need not conform: `init()`
/// creates them.
@preconcurrency @MainActor
public protocol HandoffInstantiable: AnyObject {
    init()
}

@MainActor
enum NewObject {
    /// Nil unless an `NSObject` or ``HandoffInstantiable``. If an `NSObject` lacks `init()`, the Swift runtime ends the
    /// program and names the class.
    static func of(_ objectClass: AnyClass) -> AnyObject? {
        if let objectClass = objectClass as? any HandoffInstantiable.Type { return objectClass.init() }
        return (objectClass as? NSObject.Type)?.newByHandoff()
    }

    static func canBeMade(_ objectClass: AnyClass) -> Bool {
        objectClass is any HandoffInstantiable.Type || objectClass is NSObject.Type
    }
}

// `[Class new]` works for any class, but a Swift metatype can only call `required` initializers; a convenience
// initializer calls `init()` through the class's table. So these two declarations are one function: an allocating
// initializer and a static method both take the metatype and return an owned result. See docs/source-compatibility.md.
extension NSObject {
    @_silgen_name("handoff_app_new_object")
    package convenience init(newByHandoff: ()) { self.init() }

    @_silgen_name("handoff_app_new_object")
    fileprivate static func newByHandoff() -> NSObject
}
