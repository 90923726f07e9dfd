// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Casts and key lookups as in Apple's Foundation. As there, both conformances apply to the whole program.

/// For `userInfo?["zoom"] as? CGFloat` and `as? [CGFloat]`: numbers arrive as NSNumber.
extension CGFloat: @retroactive _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSNumber { NSNumber(value: native) }

    public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout CGFloat?) {
        result = CGFloat(source.doubleValue)
    }

    /// False if the number would lose precision, as for `Double`.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout CGFloat?) -> Bool {
        result = (source as? Double).map { CGFloat($0) }
        return result != nil
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> CGFloat {
        CGFloat(source?.doubleValue ?? 0)
    }
}

/// For `userInfo?["id" as NSString]`: such a key equals the String.
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
