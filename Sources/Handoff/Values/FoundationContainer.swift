// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

/// An object of Foundation's container classes, which may hold itself.
///
/// Foundation turns such an object into a Swift container all at once, with all that is in it, and would never come back
/// from one that holds itself. So it is looked through first. Its mirror is the one view of it that gives its objects as
/// they are.
struct FoundationContainer {
    private let object: AnyObject

    /// Nil for anything else.
    init?(_ object: Any) {
        switch type(of: object) {
        case is NSArray.Type, is NSDictionary.Type, is NSSet.Type: self.object = object as AnyObject
        default: return nil
        }
    }

    /// `depth`: containers around it. Throws `.holdsItself` or `.nestedTooDeep`.
    func check(depth: Int) throws(NSUserActivity.InvalidValueError) {
        var checked: [ObjectIdentifier: Int] = [:]
        try check(depth: depth, around: [], &checked)
    }

    /// `checked`: what was looked through already, and how deep it lay there, so that what is held many times is looked
    /// through once.
    private func check(
        depth: Int, around: Set<ObjectIdentifier>, _ checked: inout [ObjectIdentifier: Int]
    ) throws(NSUserActivity.InvalidValueError) {
        let identity = ObjectIdentifier(object)
        guard !around.contains(identity) else {
            throw NSUserActivity.InvalidValueError(
                .holdsItself, "NSUserActivity.userInfo cannot hold a container that holds itself.")
        }
        try Value.check(depth)
        if let before = checked[identity], before >= depth { return }
        let around = around.union([identity])
        for child in Mirror(reflecting: object).children {
            if let pair = child.value as? (key: NSObject, value: AnyObject) {
                try FoundationContainer(pair.key)?.check(depth: depth + 1, around: around, &checked)
                try FoundationContainer(pair.value)?.check(depth: depth + 1, around: around, &checked)
            } else {
                try FoundationContainer(child.value)?.check(depth: depth + 1, around: around, &checked)
            }
        }
        checked[identity] = depth
    }
}
