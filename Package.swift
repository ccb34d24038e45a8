// swift-tools-version: 6.2
import PackageDescription

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"]))
let configuration = Target.Dependency.product(
    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"]))
let configurationTesting = Target.Dependency.product(
    name: "ConfigurationTesting", package: "swift-configuration", condition: .when(traits: ["Configuration"]))
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"]))
let lifecycleTesting = Target.Dependency.product(
    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
    condition: .when(traits: ["ServiceLifecycle"]))
let signals = Target.Dependency.product(
    name: "UnixSignals", package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"]))
let metrics = Target.Dependency.product(
    name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"]))
let metricsTesting = Target.Dependency.product(
    name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"]))

#if os(macOS)
let isOnMac = true
#else
let isOnMac = false
#endif

/// Whether warnings are errors: in our own checks, which set the variable, and never for those who depend on the package.
let isStrict = Context.environment["FLAGMENU_STRICT"] != nil

/// Only Apple's stores read it. Elsewhere, a resource would make the target import all of Foundation.
let privacyManifest = "PrivacyInfo.xcprivacy"

/// A dependency on a product that is linked only with the trait Network.
func network(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Network"]))
}

/// A dependency on a product that is linked only with the trait Server.
func server(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Server"]))
}

/// A service that has flags: a library in Sources/Services and its tests in Tests/Services.
struct Service {
    var name: String
    var dependencies: [Target.Dependency]
    var excludedFromTests: [String]

    init(_ name: String, _ dependencies: [Target.Dependency] = [], excludedFromTests: [String] = []) {
        self.name = name
        self.dependencies = dependencies
        self.excludedFromTests = excludedFromTests
    }

    var target: String { "FlagSource" + name }

    /// What a service is made with.
    static let libraries: [Target.Dependency] = ["FlagModel", "FlagRemote"]
    /// What a service is tested with.
    static let testLibraries =
        libraries + [
            "FlagSourceHTTP", "FlagSourceURLSession", "FlagTesting", "Flags", "TestSupport",
        ]

    var targets: [Target] {
        [
            .target(
                name: target, dependencies: Self.libraries + dependencies, path: "Sources/Services/\(name)"),
            .testTarget(
                name: target + "Tests",
                dependencies: Self.testLibraries + dependencies + [.target(name: target), "VendorServers"],
                path: "Tests/Services/\(name)", exclude: excludedFromTests),
        ]
    }
}

let crypto = network("Crypto", "swift-crypto")
let services = [
    Service("CloudKit", [crypto], excludedFromTests: ["Vectors"]),
    Service(
        "Firebase", ["Essentials", "FlagFormats", "Platform", crypto, network("CryptoExtras", "swift-crypto")],
        excludedFromTests: ["Vectors"]),
    Service("Flagsmith"),
    Service("GrowthBook", excludedFromTests: ["Vectors"]),
    Service("LaunchDarkly"),
    Service("OFREP"),
    Service("PostHog"),
    Service("Split"),
    Service("Statsig"),
    Service("Unleash", ["Essentials"]),
    Service("URL", ["FlagFormats"]),
]

let package = Package(
    name: "FlagMenu",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "flagmenu", targets: ["FlagMenuCLI"]),
        .executable(name: "flagmenu-demo", targets: ["FlagMenuDemo"]),
        .library(name: "Flags", targets: ["Flags"]),
        .library(name: "DeveloperMenuTerminal", targets: ["DeveloperMenuTerminal"]),
        .library(name: "FlagsConfiguration", targets: ["FlagsConfiguration"]),
        .library(name: "FlagsService", targets: ["FlagsService"]),
        .library(name: "FlagsTestTrait", targets: ["FlagsTestTrait"]),
        .library(name: "FlagServer", targets: ["FlagServer"]),
        .library(name: "FlagSourceHTTP", targets: ["FlagSourceHTTP"]),
        .library(name: "FlagSourceURLSession", targets: ["FlagSourceURLSession"]),
        .library(name: "FlagTeamEtcd", targets: ["FlagTeamEtcd"]),
        .library(name: "FlagTesting", targets: ["FlagTesting"]),
    ] + services.map { .library(name: $0.target, targets: [$0.target]) },
    // SwiftPM fetches the dependencies of all products, except those behind a disabled trait. An app that links only
    // Flags enables no trait.
    traits: [
        .trait(
            name: "CommandLine",
            description: "The tools flagmenu and flagmenu-demo; without Network, for files and the sample alone."),
        .trait(name: "Configuration", description: "FlagsConfiguration, a provider for swift-configuration."),
        .trait(name: "Metrics", description: "Counters of FlagsService, for swift-metrics."),
        .trait(name: "Network", description: "Sources behind a network, and the test kit for them."),
        .trait(name: "Server", description: "FlagServer, and flagmenu serve: flags for apps in any language."),
        .trait(name: "ServiceLifecycle", description: "The service of FlagsService, for swift-service-lifecycle."),
        .default(
            enabledTraits: ["CommandLine", "Configuration", "Metrics", "Network", "Server", "ServiceLifecycle"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
    ],
    targets: [
        // The C library, with one name on every system.
        .target(name: "Platform"),
        // The part of Foundation that needs no other library, with one name on every system.
        .target(name: "Essentials"),

        // Pure: no I/O, no clock, no await.
        .target(name: "FlagModel"),
        // Formats of documents, also of other tools.
        .target(name: "FlagFormats", dependencies: ["FlagModel"]),
        .target(name: "TerminalUI"),
        // What every surface asks of the flags, and plans on them.
        .target(name: "FlagQueries", dependencies: ["FlagModel", "TerminalUI"]),
        .target(name: "DeveloperMenu", dependencies: ["FlagModel", "FlagQueries", "TerminalUI"]),
        // A state as one string. An app that links only Flags links no zlib.
        .systemLibrary(name: "CZlib", providers: [.brew(["zlib"]), .apt(["zlib1g-dev"])]),
        .target(name: "FlagSharing", dependencies: ["CZlib", "FlagModel"]),

        // Input and output, one target per kind.
        .target(
            name: "FlagStorage", dependencies: ["FlagModel", "Platform"],
            exclude: isOnMac ? [] : [privacyManifest],
            resources: isOnMac ? [.process(privacyManifest)] : []),
        // Which processes run an app, and which values they use.
        .target(name: "FlagPresence", dependencies: ["FlagModel", "FlagStorage", "Platform"]),
        .systemLibrary(name: "CExpat"),
        // On macOS, Homebrew has the library, outside the compiler's search path.
        .systemLibrary(
            name: "CYAML", pkgConfig: isOnMac ? "yaml-0.1" : nil,
            providers: [.brew(["libyaml"]), .apt(["libyaml-dev"])]),
        .target(name: "FlagRemote", dependencies: ["Essentials", "FlagModel", "FlagStorage", "Platform"]),
        .target(
            name: "FlagSourceFile",
            dependencies: ["CExpat", "CYAML", "Essentials", "FlagFormats", "FlagModel", "FlagRemote"]
        ),
        .target(
            name: "CNcurses",
            linkerSettings: [
                .linkedLibrary("ncursesw", .when(platforms: [.linux])),
                .linkedLibrary("ncurses", .when(platforms: [.macOS])),
            ]
        ),
        .target(name: "TerminalShell", dependencies: ["CNcurses", "Essentials", "Platform", "TerminalUI"]),

        // The HTTP client of the services, which do no other I/O.
        .target(
            name: "FlagSourceHTTP",
            dependencies: [
                "FlagModel", "FlagRemote", "Platform", network("AsyncHTTPClient", "async-http-client"),
                network("NIOCore", "swift-nio"), network("NIOHTTP1", "swift-nio"),
                network("NIOHTTPCompression", "swift-nio-extras"), network("NIOPosix", "swift-nio"),
                network("NIOSSL", "swift-nio-ssl"),
            ]
        ),
        // The same with Foundation's client, for apps that link no SwiftNIO.
        .target(name: "FlagSourceURLSession", dependencies: ["FlagRemote"]),
        // Overrides that a team shares, in etcd.
        .target(name: "FlagTeamEtcd", dependencies: ["FlagModel", "FlagRemote"]),
        // The test kit for these sources and for those of other packages.
        .target(
            name: "FlagTesting",
            dependencies: [
                "FlagModel", "FlagRemote", "FlagStorage", "Flags", "Platform", network("NIOCore", "swift-nio"),
                network("NIOHTTP1", "swift-nio"), network("NIOPosix", "swift-nio"),
                network("NIOSSL", "swift-nio-ssl"), .product(name: "Logging", package: "swift-log"),
            ]
        ),

        // The library. An app that links Flags links no ncurses, no expat and no network.
        .target(
            name: "Flags",
            dependencies: [
                "Essentials", "FlagModel", "FlagPresence", "FlagRemote", "FlagStorage", "Platform",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // swift-configuration declares its protocols with this feature; without it, our methods would not match.
        .target(
            name: "FlagsConfiguration",
            dependencies: ["FlagModel", "Flags", configuration],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        // What keeps the flags of a server up to date, and what counts them.
        .target(name: "FlagsService", dependencies: ["FlagModel", "FlagRemote", "Flags", lifecycle, metrics]),
        // Flags of one test. Apart from FlagTesting, which the tests of an app need not link.
        .target(name: "FlagsTestTrait", dependencies: ["Flags"]),
        .target(
            name: "DeveloperMenuTerminal",
            dependencies: [
                "DeveloperMenu", "FlagModel", "FlagPresence", "FlagQueries", "FlagRemote", "FlagSharing",
                "FlagStorage", "Flags", "Platform", "TerminalShell", "TerminalUI",
            ]
        ),
        // Flags for apps in any language: an OpenFeature server, a management API and a page.
        .target(
            name: "FlagServer",
            dependencies: [
                "FlagModel", "FlagPresence", "FlagQueries", "FlagRemote", "FlagSharing", "FlagStorage", "Flags",
                "Platform",
                "TerminalUI", server("HTTPTypes", "swift-http-types"),
                server("HummingbirdCore", "hummingbird"), server("HummingbirdTLS", "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"), server("NIOSSL", "swift-nio-ssl"),
                server("NIOHTTPTypes", "swift-nio-extras"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
                server("UnixSignals", "swift-service-lifecycle"),
            ],
            resources: [
                .embedInCode("Page/index.html"), .embedInCode("Page/page.css"), .embedInCode("Page/page.js"),
                .embedInCode("Page/openapi.json"),
            ]
        ),
        // The demo app. Its screens in Stage/ are pure, like those of the menu.
        .executableTarget(
            name: "FlagMenuDemo",
            dependencies: [
                "DeveloperMenu", "DeveloperMenuTerminal", "FlagModel", "FlagQueries", "FlagRemote", "FlagStorage",
                "Flags", "Platform", "TerminalShell", "TerminalUI", argumentParser,
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // The agents' side of the flags: the Model Context Protocol, without streams and threads.
        .target(name: "FlagAgents", dependencies: ["FlagModel"]),
        // What every command of the tool opens: its settings, sources, permissions and flags.
        .target(
            name: "FlagWorkspace",
            dependencies: [
                "DeveloperMenu", "DeveloperMenuTerminal", "Essentials", "FlagFormats", "FlagModel", "FlagPresence",
                "FlagQueries", "FlagRemote", "FlagSourceFile", "FlagSourceHTTP", "FlagStorage", "FlagTeamEtcd", "Flags",
                "Platform", "TerminalShell", "TerminalUI",
            ] + services.map { .target(name: $0.target) }
        ),
        .executableTarget(
            name: "FlagMenuCLI",
            dependencies: [
                "DeveloperMenu", "DeveloperMenuTerminal", "FlagAgents", "FlagFormats", "FlagModel", "FlagPresence",
                "FlagQueries", "FlagRemote", "FlagSharing", "FlagSourceFile", "FlagSourceFirebase", "FlagSourceHTTP",
                "FlagStorage",
                "FlagWorkspace", "Flags", "Platform", "TerminalShell", "TerminalUI", argumentParser,
                .target(name: "FlagServer", condition: .when(traits: ["Server"])),
            ]
        ),

        // Tests, in one target per target above. TestSupport is only for tests.
        .target(
            name: "TestSupport",
            dependencies: [
                "FlagModel", "FlagRemote", "Platform", "TerminalUI", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "FlagModelTests", dependencies: ["FlagModel", "TestSupport"]),
        .testTarget(name: "FlagFormatsTests", dependencies: ["FlagFormats", "FlagModel", "TestSupport"]),
        .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI", "TestSupport"]),
        .testTarget(
            name: "FlagQueriesTests", dependencies: ["FlagFormats", "FlagModel", "FlagQueries", "TestSupport"]),
        .testTarget(
            name: "FlagSharingTests",
            dependencies: ["FlagFormats", "FlagModel", "FlagSharing", "TestSupport"]),
        .testTarget(name: "FlagAgentsTests", dependencies: ["FlagAgents", "FlagModel", "TestSupport"]),
        .testTarget(
            name: "DeveloperMenuTests",
            dependencies: ["DeveloperMenu", "FlagFormats", "FlagModel", "FlagQueries", "TerminalUI", "TestSupport"],
            exclude: ["Snapshots"]
        ),
        .testTarget(
            name: "FlagStorageTests", dependencies: ["FlagModel", "FlagStorage", "StorageTorture", "TestSupport"]
        ),
        .testTarget(
            name: "FlagPresenceTests", dependencies: ["FlagModel", "FlagPresence", "FlagStorage", "TestSupport"]
        ),
        // A program that writes to a store; tests measure its time, and kill it.
        .executableTarget(
            name: "StorageTorture", dependencies: ["FlagModel", "FlagStorage", "Platform"], path: "Tests/StorageTorture"
        ),
        .testTarget(
            name: "FlagSourceFileTests",
            dependencies: ["FlagModel", "FlagSourceFile", "FlagRemote", "TestSupport"]
        ),
        .testTarget(
            name: "FlagRemoteTests",
            dependencies: ["FlagModel", "FlagRemote", "FlagTesting", "TestSupport"]
        ),
        // Also the tests of FlagSourceURLSession, as most are tests of every transport.
        .testTarget(
            name: "FlagSourceHTTPTests",
            dependencies: [
                "FlagModel", "FlagSourceHTTP", "FlagSourceURLSession", "FlagRemote", "FlagTesting", "Platform",
                "TestSupport", "VendorServers",
            ]
        ),
        .testTarget(
            name: "FlagTeamEtcdTests",
            dependencies: [
                "FlagModel", "FlagRemote", "FlagSourceHTTP", "FlagTeamEtcd", "FlagTesting", "Flags", "Platform",
                "TestSupport",
            ]
        ),
        // Fake servers of the vendors' services, only for tests.
        .target(
            name: "VendorServers",
            dependencies: [
                "FlagModel", "FlagRemote", "FlagTesting", network("Crypto", "swift-crypto"),
                network("CryptoExtras", "swift-crypto"), network("NIOSSL", "swift-nio-ssl"),
            ],
            path: "Tests/VendorServers"
        ),
        // Runs the fake servers in a process, for the vendors' own clients: .github/scripts/vendor-clients.sh
        .executableTarget(
            name: "LoopbackServers",
            dependencies: ["FlagModel", "FlagRemote", "FlagTesting", "Platform", "VendorServers"],
            path: "Tests/LoopbackServers"
        ),
        .testTarget(
            name: "FlagServerTests",
            dependencies: [
                "FlagModel", "FlagPresence", "FlagQueries", "FlagRemote", "FlagServer", "FlagSharing", "FlagSourceHTTP",
                "FlagSourceOFREP", "FlagStorage", "Flags", "FlagTesting", "TestSupport",
                server("HTTPTypes", "swift-http-types"),
                server("HummingbirdCore", "hummingbird"), server("NIOCore", "swift-nio"),
                server("NIOPosix", "swift-nio"),
            ]
        ),
        // The code of the documentation article on services, which imports only products, like an app.
        .testTarget(
            name: "FlagSourceArticleTests",
            dependencies: ["FlagSourceHTTP", "FlagSourceURLSession", "FlagTesting", "Flags", "VendorServers"]
                + services.map { .target(name: $0.target) }
        ),
        // How to add a service: one that exists only in these tests.
        .testTarget(name: "AddingAServiceTests", dependencies: Service.testLibraries + ["FlagWorkspace"]),
        // Code as an app has it, which imports only products: of the README and of articles.
        .testTarget(name: "AdoptingAppTests", dependencies: ["Flags"]),
        // The same, isolated to the main actor by default, as in Xcode's templates. Links lead to the code of articles that
        // needs a trait or Testing; .github/scripts/adopter.sh compiles that of all others.
        .testTarget(
            name: "MainActorAppTests",
            dependencies: [
                "DeveloperMenuTerminal", "FlagQueries", "FlagSourceHTTP", "FlagSourceURLSession", "Flags",
                "FlagsConfiguration", "FlagsService", "FlagsTestTrait", "TerminalShell", configuration, lifecycle,
                signals,
                .product(name: "Logging", package: "swift-log"),
            ] + services.map { .target(name: $0.target) },
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        // Measures how long reading flags takes: swift run -c release FlagBenchmarks
        .executableTarget(
            name: "FlagBenchmarks", dependencies: ["Flags", "Platform", configuration], path: "Tests/FlagBenchmarks"),
        .testTarget(
            name: "FlagsTests",
            dependencies: [
                "FlagModel", "FlagPresence", "FlagRemote", "FlagStorage", "Flags", "StorageTorture", "TestSupport",
            ]
        ),
        .testTarget(
            name: "FlagsConfigurationTests",
            dependencies: [
                "FlagModel", "Flags", "FlagsConfiguration", "FlagStorage", "TestSupport", configuration,
                configurationTesting,
            ]
        ),
        .testTarget(
            name: "FlagsServiceTests",
            dependencies: [
                "Flags", "FlagsService", "TestSupport", lifecycle, lifecycleTesting, metricsTesting,
                signals,
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(name: "FlagsTestTraitTests", dependencies: ["Flags", "FlagsTestTrait"]),
        .testTarget(
            name: "TerminalShellTests",
            dependencies: ["Platform", "TerminalProbe", "TerminalShell", "TerminalUI", "TestSupport"]
        ),
        // A program that lists, waits and crashes on request; TerminalShellTests run it on a pseudo-terminal.
        .executableTarget(
            name: "TerminalProbe",
            dependencies: ["Platform", "TerminalShell", "TerminalUI", "TestSupport"],
            path: "Tests/TerminalProbe"
        ),
        .testTarget(
            name: "FlagMenuCLITests",
            dependencies: [
                "DeveloperMenu", "DeveloperMenuTerminal", "FlagMenuCLI", "FlagModel", "FlagPresence", "FlagQueries",
                "FlagSharing", "FlagSourceFile", "FlagRemote", "FlagStorage", "FlagWorkspace", "Flags", "FlagTesting",
                "TerminalUI",
                "TestSupport", "VendorServers", argumentParser,
            ],
            exclude: ["Snapshots"]
        ),
        .testTarget(
            name: "DeveloperMenuTerminalTests",
            dependencies: [
                "DeveloperMenu", "DeveloperMenuTerminal", "FlagModel", "FlagQueries", "FlagRemote",
                "FlagStorage", "Flags", "TerminalShell", "TerminalUI", "TestSupport",
            ]
        ),
        .testTarget(
            name: "FlagMenuDemoTests",
            dependencies: [
                "FlagMenuDemo", "FlagModel", "FlagRemote", "Flags", "TerminalUI", "TestSupport",
            ],
            exclude: ["Snapshots"]
        ),
        // An app that tests start, stop and kill.
        .executableTarget(name: "AppProbe", dependencies: ["Flags"], path: "Tests/AppProbe"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "AppProbe", "FlagMenuCLI", "FlagMenuDemo", "FlagTesting", "TerminalUI", "TestSupport", "VendorServers",
            ]),
    ] + services.flatMap(\.targets),
    swiftLanguageModes: [.v6]
)

for target in package.targets where !["CExpat", "CNcurses", "CYAML", "CZlib"].contains(target.name) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
        ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])
}
