// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

@Suite struct SentModeTests {
    private static let modes = (UInt16(0)...0o777).map { SentMode($0) }

    private static let new = SentMode.Replaced.nothing(umask: 0)

    @Test func itsOwnerCanAlwaysOpenIt() {
        for mode in Self.modes {
            for replaced in [.nothing(umask: 0o777), .folder(0), .folder(0o555)] as [SentMode.Replaced] {
                #expect(mode.fileMode(replacing: replaced) & 0o600 == 0o600)
                #expect(mode.folderMode(replacing: replaced) & 0o700 == 0o700)
            }
            #expect(mode.fileMode(replacing: .file(0)) & 0o400 == 0o400)
            #expect(mode.folderMode(replacing: .file(0)) & 0o700 == 0o700)
        }
    }

    @Test func othersNeverWriteToWhatIsNew() {
        for mode in Self.modes {
            for replaced in [Self.new, .folder(0o777)] {
                #expect(mode.fileMode(replacing: replaced) & 0o022 == 0)
                #expect(mode.folderMode(replacing: replaced) & 0o022 == 0)
            }
        }
    }

    @Test func theUmaskTakesBitsFromWhatIsNew() {
        #expect(SentMode(0o777).fileMode(replacing: .nothing(umask: 0o027)) == 0o640)
        #expect(SentMode(0o777).folderMode(replacing: .nothing(umask: 0o027)) == 0o750)
        #expect(SentMode(0o600).fileMode(replacing: Self.new) == 0o600)
    }

    @Test func aFileKeepsTheModeOfTheReplacedFile() {
        for mode in Self.modes {
            for old in [0o600, 0o660, 0o644, 0o755, 0o750, 0o444] as [UInt16] {
                #expect(mode.fileMode(replacing: .file(old)) == old)
            }
        }
    }

    @Test func aNewFileIsNotExecutable() {
        #expect(SentMode(0o755).fileMode(replacing: Self.new) == 0o644)
        #expect(SentMode(0o755).fileMode(replacing: .folder(0o755)) == 0o644)
    }

    @Test func ownerOnlyFileStaysOwnerOnly() {
        for mode in Self.modes {
            #expect(mode.fileMode(replacing: .file(0o600)) & 0o077 == 0)
            #expect(mode.fileMode(replacing: .folder(0o700)) & 0o077 == 0)
            #expect(mode.folderMode(replacing: .folder(0o700)) & 0o077 == 0)
            #expect(mode.folderMode(replacing: .file(0o600)) & 0o077 == 0)
        }
        #expect(SentMode(0o755).folderMode(replacing: .file(0o640)) == 0o750)
    }

    @Test func setUserIDBitsAreLeftOut() { #expect(SentMode(0o7755) == SentMode(0o755)) }
}
