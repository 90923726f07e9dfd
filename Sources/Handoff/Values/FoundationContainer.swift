// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

/// Foundation's containers may contain themselves. Their conversion to Swift would not terminate, so they are checked
/// first, by their mirror, which does not convert the contents.
struct FoundationContainer {
    private let object: AnyObject

    /// Nil for other objects.
    init?(_ object: Any) {
        switch type(of: object) {
        case is NSArray.Type, is NSDictionary.Type, is NSSet.Type: self.object = object as AnyObject
        default: return nil
        }
    }

    /// `depth`: the number of enclosing containers. Throws `.holdsItself` or `.nestedTooDeep`.
    func check(depth: Int) throws(NSUserActivity.InvalidValueError) {
        var checked: [ObjectIdentifier: Int] = [:]
        try check(depth: depth, around: [], &checked)
    }

    /// `checked`: checked containers with their depth.
    private func check(
        depth: Int, around: Set<ObjectIdentifier>, _ checked: inout [ObjectIdentifier: Int]
    ) throws(NSUserActivity.InvalidValueError) {
        let identity = ObjectIdentifier(object)
        guard !around.contains(identity) else {
            throw NSUserActivity.InvalidValueError(
                .holdsItself, "NSUserActivity.userInfo cannot hold a container that contains itself.")
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
