// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

/// An object of Foundation's container classes, which may contain itself. Foundation's conversion to a Swift container
/// would then not terminate, so it is checked first, by its mirror, which does not convert the contents.
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

    /// `checked`: containers checked already, with their depth, so that each is checked once.
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
