// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSItemProvider {
    /// Registers the object's representations. Retains it, and writes it on request.
    public func registerObject(
        _ object: any NSItemProviderWriting, visibility: NSItemProviderRepresentationVisibility
    ) {
        let item = WrittenObject(object: object)
        for typeIdentifier in object.writableTypeIdentifiersForItemProvider {
            registerDataRepresentation(forTypeIdentifier: typeIdentifier, visibility: visibility) { completion in
                item.object.loadData(withTypeIdentifier: typeIdentifier, forItemProviderCompletionHandler: completion)
            }
        }
    }

    /// Registers the representations of the class's objects. `loadHandler` provides the object on request.
    public func registerObject(
        ofClass aClass: any NSItemProviderWriting.Type, visibility: NSItemProviderRepresentationVisibility,
        loadHandler:
            @escaping @Sendable (
                _ completionHandler: @escaping @Sendable ((any NSItemProviderWriting)?, (any Error)?) -> Void
            ) -> Progress?
    ) {
        for typeIdentifier in aClass.writableTypeIdentifiersForItemProvider {
            registerDataRepresentation(forTypeIdentifier: typeIdentifier, visibility: visibility) { completion in
                loadHandler { object, error in
                    guard let object else { return completion(nil, error) }
                    _ = object.loadData(
                        withTypeIdentifier: typeIdentifier, forItemProviderCompletionHandler: completion)
                }
            }
        }
    }

    /// Whether there is a representation that the class can read.
    public func canLoadObject(ofClass aClass: any NSItemProviderReading.Type) -> Bool {
        representation(readableBy: aClass) != nil
    }

    /// Creates an object from the first representation that the class can read, and calls `completionHandler` once, in
    /// the background. Errors of ``errorDomain`` are `unavailableCoercionError` without a representation and
    /// `unexpectedValueClassError` for another class's object. Others are the class's own, and those of
    /// ``loadDataRepresentation(forTypeIdentifier:completionHandler:)``.
    @discardableResult
    public func loadObject(
        ofClass aClass: any NSItemProviderReading.Type,
        completionHandler: @escaping @Sendable ((any NSItemProviderReading)?, (any Error)?) -> Void
    ) -> Progress {
        let readable = ReadableClass(value: aClass)
        let representation = representation(readableBy: aClass)
        let missing = Self.error(.unavailableCoercionError, "No representation can be read by \(aClass).")
        return load(representation, else: missing) { result in
            do {
                let object = try readable.value.object(
                    withItemProviderData: try result.get(), typeIdentifier: representation?.typeIdentifier ?? "")
                completionHandler(object, nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    private func representation(readableBy aClass: any NSItemProviderReading.Type) -> Representation? {
        let readable = aClass.readableTypeIdentifiersForItemProvider.map { UTType(importedAs: $0) }
        return representations.first { representation in
            let type = UTType(importedAs: representation.typeIdentifier)
            return readable.contains { type.conforms(to: $0) }
        }
    }

    // MARK: Swift types

    /// For `String` and `URL`, by `NSString` and `NSURL`.
    public func canLoadObject<T>(ofClass type: T.Type) -> Bool
    where T: _ObjectiveCBridgeable, T._ObjectiveCType: NSItemProviderReading {
        canLoadObject(ofClass: T._ObjectiveCType.self)
    }

    /// For `String` and `URL`, by `NSString` and `NSURL`.
    @discardableResult
    public func loadObject<T>(
        ofClass type: T.Type, completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
    ) -> Progress
    where T: _ObjectiveCBridgeable & Sendable, T._ObjectiveCType: NSItemProviderReading {
        loadObject(ofClass: T._ObjectiveCType.self) { object, error in
            guard let object = object as? T._ObjectiveCType else { return completionHandler(nil, error) }
            completionHandler(T._unconditionallyBridgeFromObjectiveC(object), nil)
        }
    }
}

/// Unchecked: by the protocol's contract, the object is written on any thread.
private struct WrittenObject: @unchecked Sendable {
    let object: any NSItemProviderWriting
}

/// Unchecked: classes are thread-safe, and by the protocol's contract they read on any thread.
private struct ReadableClass: @unchecked Sendable {
    let value: any NSItemProviderReading.Type
}
