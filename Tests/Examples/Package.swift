// swift-tools-version: 6.2
import PackageDescription

// A package as an adopter has it, with strict settings. Five examples are programs of their own:
//
//     swift run --package-path Tests/Examples TypedReads
//
// The other targets have the code of the README and the articles.

let examples = ["TypedReads", "MenuAndPrecedence", "LoadingStates", "Toggles", "NextLaunch"]
let flags = Target.Dependency.product(name: "Flags", package: "FlagMenu")

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    traits: [.trait(name: "MainActor", description: "Isolates the code to the main actor, as Xcode's templates do.")],
    dependencies: [.package(name: "FlagMenu", path: "../..", traits: [])],
    targets: examples.map { .executableTarget(name: $0, dependencies: [flags]) }
        + ["ArticleCode", "ReadmeCode"].map { .target(name: $0, dependencies: [flags]) },
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .defaultIsolation(MainActor.self, .when(traits: ["MainActor"])),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
