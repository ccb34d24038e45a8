#!/usr/bin/env bash
# What the library costs an app: makes an empty package that depends on this one, builds it from clean, and prints the
# seconds and what SwiftPM fetched. A second program is the README's example, compiled with warnings as errors.
#
# usage: empty-package.sh
#
# Fails if the build does, or if anything but swift-log was fetched. The seconds are not checked: they depend on the
# machine and its load. SwiftPM's own cache counts; the first fetch of swift-log takes longer.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
repository=$PWD

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/Sources/App" "$place/Sources/Readme"
# SwiftPM calls a package at a path by the path's last part.
cat >"$place/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "$repository", traits: [])],
    targets: [
        .executableTarget(name: "App", dependencies: [.product(name: "Flags", package: "$(basename "$repository")")]),
        .executableTarget(
            name: "Readme", dependencies: [.product(name: "Flags", package: "$(basename "$repository")")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
SWIFT
# The Swift code of the section, without the menu inside a terminal app, which is another product.
{
    echo "import Flags"
    sed -n '/^## In your app/,/^Open the menu/p' README.md | sed -n '/^```swift/,/^```$/{ /^```/!p }'
} >"$place/Sources/Readme/main.swift"
grep -q 'for await' "$place/Sources/Readme/main.swift" || fail "The README's example was not found."
cat >"$place/Sources/App/main.swift" <<'SWIFT'
import Flags

extension FlagKey<Bool> {
    static let multipleLocations = FlagKey("enable_multiple_locations", default: false)
}

print(FlagStore.inMemory([.set(.multipleLocations, to: true)])[.multipleLocations])
SWIFT

# timed WHAT COMMAND...: runs a command, and prints its seconds, or what it printed if it fails.
timed() {
    local what=$1 start=$SECONDS
    shift
    "$@" >"$place/log" 2>&1 || fail "$(cat "$place/log")"
    echo "$what in $((SECONDS - start)) s on $(getconf _NPROCESSORS_ONLN) processors"
}
# As an adopter builds it.
unset FLAGMENU_STRICT
timed resolved swift package --package-path "$place" resolve
timed built swift build --package-path "$place"

fetched=$(cd "$place/.build/checkouts" && echo *)
echo "fetched: $fetched"
[ "$fetched" = swift-log ] || fail \
    "An app that links Flags alone is made to fetch more than swift-log. Put the rest behind a trait."
answer=$(swift run --package-path "$place" --skip-build App)
[ "$answer" = true ] || fail "The app printed \"$answer\" where its flag is true."
