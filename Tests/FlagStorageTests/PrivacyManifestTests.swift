import Foundation
import Testing

/// What an app that links the library declares to Apple's App Store.
struct PrivacyManifestTests {
    private let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")

    /// The text of all code that an app links with the product `Flags`.
    private func code() throws -> String {
        var text = ""
        for target in ["Essentials", "FlagModel", "FlagPresence", "FlagRemote", "FlagStorage", "Flags", "Platform"] {
            let folder = sources.appending(path: target)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path())
            where path.hasSuffix(".swift") {
                text += try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            }
        }
        return text
    }

    @Test func `the privacy manifest has a reason for each API that needs one`() throws {
        let data = try Data(contentsOf: sources.appending(path: "FlagStorage/PrivacyInfo.xcprivacy"))
        let manifest = try #require(
            PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        let reasons = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]]).map {
            "\($0["NSPrivacyAccessedAPIType"] ?? "") \($0["NSPrivacyAccessedAPITypeReasons"] ?? "")"
        }
        #expect(reasons == [#"NSPrivacyAccessedAPICategoryFileTimestamp ["C617.1"]"#])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        let code = try code()
        #expect(code.contains("lstat("), "the time stamps of files")
        // Disk space, time since the start of the machine, preferences, keyboards.
        for name in [
            "statfs(", "statvfs(", "NSFileSystem", "volumeAvailableCapacity", "systemUptime", "mach_absolute_time",
            "UserDefaults", "activeInputModes",
        ] {
            #expect(!code.contains(name), "\(name) needs a reason")
        }
    }
}
