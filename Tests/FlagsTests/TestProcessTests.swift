import Foundation
import TestSupport
import Testing

@testable import Flags

/// The overrides of the developer who runs tests do not decide whether they pass.
struct TestProcessTests {
    @Test(
        arguments: [
            (["/build/ShopPackageTests.xctest", "--testing-library", "swift-testing"], [:], true),
            (["/build/ShopPackageTests.xctest"], [:], true),
            (["/usr/bin/xctest", "Shop.xctest"], [:], true),
            (["/build/shop-test-runner", "--testing-library", "swift-testing"], [:], true),
            (["/usr/libexec/swiftpm-testing-helper"], [:], true),
            (["/build/Shop"], ["XCTestConfigurationFilePath": "/tmp/a.xctestconfiguration"], true),
            (["/build/Shop"], ["XCTestBundlePath": "PlugIns/ShopTests.xctest"], true),
            (["/build/Shop", "--testing"], ["XCTEST": "1"], false),
            (["/build/xctests/Shop"], [:], false),
            ([], [:], false),
        ] as [([String], [String: String], Bool)])
    func `a process that runs tests is recognized`(arguments: [String], variables: [String: String], isTest: Bool) {
        #expect(ProcessEnvironment.isTestProcess(arguments: arguments) { variables[$0] } == isTest)
    }

    @Test func `in tests, overrides are in memory unless the code or the environment names a folder`() async {
        // Runs in its own process, because other tests read the environment at the same time.
        await #expect(processExitsWith: .success) {
            let (log, place) = (LogLines(), Workplace())
            let folder = place.place("home/flagmenu/shop")
            setenv("XDG_STATE_HOME", place.place("home"), 1)
            unsetenv("FLAGMENU_STORE")
            place.write(
                #"{"format":1,"overrides":{"enable_multiple_locations":{"value":"true"}}}"#,
                to: "home/flagmenu/shop/overrides.json")
            func open(in folder: String? = nil) -> FlagStore {
                FlagStore(
                    app: "shop",
                    options: .init(
                        overrides: .open, launch: [:], storeDirectory: folder, cacheDirectory: place.place("cache"),
                        logger: log.logger))
            }
            let flags = open()
            precondition(flags.overridePath == nil && flags.presenceFolders.isEmpty && !flags[.multipleLocations])
            precondition(log.lines == ["notice: \(notice)"])
            try await flags.setOverride(.multipleLocations, to: true)
            precondition(flags[.multipleLocations])
            precondition(open(in: folder)[.multipleLocations])
            setenv("FLAGMENU_STORE", folder, 1)
            precondition(open()[.multipleLocations])
            precondition(!log.lines.dropFirst().contains { $0.contains(notice) })
        }
    }
}

private let notice =
    "shop runs tests, without this machine's overrides. storeDirectory or FLAGMENU_STORE names others."
