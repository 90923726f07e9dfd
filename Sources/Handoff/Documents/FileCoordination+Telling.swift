// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffSystem

extension FileCoordination {
    /// For a coordinated write that changed the visible attributes.
    func tellChange(at place: FilePlace, since before: FileStamp?, except: ObjectIdentifier?) {
        let after = FileStamp(path: place.text)
        // A folder's contents may change without changing the folder.
        guard before != after || after?.isFolder == true else { return }
        // Presenters of a removed file were asked before.
        guard after != nil else { return }
        tellChange(at: place, hasAppeared: before == nil, except: except)
    }

    func tellChange(at place: FilePlace, hasAppeared: Bool = false, except: ObjectIdentifier? = nil) {
        let url = place.url
        for (reference, presented) in presenters(around: place, except: except) {
            reference.call { presenter in
                if presented == place { return presenter.presentedItemDidChange() }
                if hasAppeared {
                    presenter.presentedSubitemDidAppear(at: url)
                } else {
                    presenter.presentedSubitemDidChange(at: url)
                }
            }
        }
    }

    func tellMove(from old: FilePlace, to new: FilePlace, except: ObjectIdentifier? = nil) {
        moved(from: old, to: new)
        for reference in presenters where reference.id != except {
            guard let presented = reference.place else { continue }
            if let place = presented.moved(from: old, to: new) {
                let url = place.url
                reference.call { $0.presentedItemDidMove(to: url) }
            } else if old.isWithin(presented) || new.isWithin(presented) {
                let (oldURL, newURL) = (old.url, new.url)
                reference.call { $0.presentedSubitem(at: oldURL, didMoveTo: newURL) }
            }
        }
    }

    /// A version from another device replaced the file at `old`.
    func tellPlaced(at place: FilePlace, from old: FilePlace?, gained version: NSFileVersion?) {
        let old = old.flatMap { $0 == place ? nil : $0 }
        if let old { moved(from: old, to: place) }
        // In one call: a presenter that follows the move is at the new place only afterwards.
        for reference in presenters {
            guard let presented = reference.place else { continue }
            let isThere = presented == place || presented == old
            let (url, oldURL) = (place.url, old?.url)
            if isThere {
                reference.call { presenter in
                    if presented == old { presenter.presentedItemDidMove(to: url) }
                    presenter.presentedItemDidChange()
                    if let version { presenter.presentedItemDidGain(version) }
                }
            } else if place.isWithin(presented) || old?.isWithin(presented) ?? false {
                reference.call { presenter in
                    if let oldURL { presenter.presentedSubitem(at: oldURL, didMoveTo: url) }
                    presenter.presentedSubitemDidChange(at: url)
                    if let version { presenter.presentedSubitem(at: url, didGain: version) }
                }
            }
        }
    }

    enum VersionEvent: Sendable { case gained, lost, resolved }

    func tell(_ event: VersionEvent, _ version: NSFileVersion, of place: FilePlace) {
        let url = place.url
        for (reference, presented) in presenters(around: place) {
            reference.call { presenter in
                switch (event, presented == place) {
                case (.gained, true): presenter.presentedItemDidGain(version)
                case (.lost, true): presenter.presentedItemDidLose(version)
                case (.resolved, true): presenter.presentedItemDidResolveConflict(version)
                case (.gained, false): presenter.presentedSubitem(at: url, didGain: version)
                case (.lost, false): presenter.presentedSubitem(at: url, didLose: version)
                case (.resolved, false): presenter.presentedSubitem(at: url, didResolve: version)
                }
            }
        }
    }

    /// Includes presenters of folders around the file.
    private func presenters(
        around place: FilePlace, except: ObjectIdentifier? = nil
    ) -> [(PresenterReference, FilePlace)] {
        presenters.compactMap { reference in
            guard reference.id != except, let presented = reference.place, place.isWithin(presented) else { return nil }
            return (reference, presented)
        }
    }
}

extension FilePlace {
    /// Only its extension distinguishes a package from other folders.
    var isOneDocument: Bool { isFolder && text.split(separator: "/").last?.dropFirst().contains(".") ?? false }
}
