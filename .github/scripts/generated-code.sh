#!/usr/bin/env bash
# The code of flagmenu generate swift, for every fixture: compiles without warnings in a package that links Flags alone,
# has the format that swift-format demands, and is a fixed point. For the last, an app with the code runs, flagmenu
# export --catalog writes what it declares, and the code for that document must be the same text.
#
# usage: generated-code.sh [--programs FOLDER]
#
# The fixtures are the documents in generated-code/, and those beside the package that flagmenu can read. The package is
# kept in .build/generated-code, so that only the first run builds Flags.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
repository=$PWD
documents=("$scripts"/generated-code/*.json)
shared=$repository/../shared/fixtures
programs=
if [ "${1:-}" = --programs ]; then programs=${2:?--programs needs a folder}; fi
programs flagmenu

package=$repository/.build/generated-code
place=$(mktemp -d)
app=
end() {
    if [ -n "$app" ]; then kill "$app" 2>/dev/null || true; fi
    rm -rf "$place"
}
trap end EXIT
rm -rf "$package/Sources"
mkdir -p "$package/Sources/App" "$package/Sources/MainActorApp" "$place/lint" "$place/home"

# Runs flagmenu without the settings of this machine.
clean() { env -i HOME="$place/home" PATH="$PATH" "$programs/flagmenu" "$@"; }

if [ -d "$shared" ]; then
    while IFS= read -r document; do documents+=("$document"); done < <(find "$shared" -name '*.json' | LC_ALL=C sort)
else
    echo "skipped: the fixtures beside the package, as $shared is missing"
fi

# Documents that are not JSON, or have no flags, have no code. A crash is an error.
names=() skipped=0
for document in "${documents[@]}"; do
    name=Fixture${#names[@]}
    status=0
    clean generate swift --source "$document" --name "$name" --output "$package/Sources/App/$name.swift" --quiet \
        2>"$place/errors" || status=$?
    case $status in
    0)
        names+=("$name")
        echo "$name: $document" >>"$place/names"
        ;;
    1 | 2 | 5) skipped=$((skipped + 1)) ;;
    *) fail "generate swift exits with $status for $document: $(cat "$place/errors")" ;;
    esac
done
[ -f "$package/Sources/App/Fixture0.swift" ] || fail "There is no code for ${documents[0]}: $(cat "$place/errors")"
echo "code for ${#names[@]} documents; $skipped are not documents, or have no flags"

cp "$package"/Sources/App/*.swift "$package/Sources/MainActorApp/"
for file in "$package"/Sources/App/*.swift; do
    sed '/^\/\/ swift-format-ignore-file$/d' "$file" >"$place/lint/$(basename "$file")"
done
swift format lint --strict --configuration .swift-format --recursive "$place/lint"

cat >"$package/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let flags = Target.Dependency.product(name: "Flags", package: "$(basename "$repository")")

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "$repository", traits: [])],
    targets: [
        .executableTarget(
            name: "App", dependencies: [flags],
            swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]),
        // The settings of a new app in Xcode.
        .target(
            name: "MainActorApp", dependencies: [flags],
            swiftSettings: [.treatAllWarnings(as: .error), .defaultIsolation(MainActor.self)]),
    ]
)
SWIFT
# A closure each: two documents may declare a key with different types.
entries=$(for name in "${names[@]}"; do echo "    \"$name\": { $name.all },"; done)
cat >"$package/Sources/App/main.swift" <<SWIFT
import Flags

let keys: [String: () -> [any DeclaredKey]] = [
$entries
]
let name = CommandLine.arguments[1]
let flags = FlagStore(app: name, options: .init(overrides: .open, declares: keys[name]?() ?? []))
try await Task.sleep(for: .seconds(600))
print(flags.app)
SWIFT
swift build --package-path "$package" >"$place/build.log" 2>&1 || fail "$(tail -n 60 "$place/build.log")"
program=$(swift build --package-path "$package" --show-bin-path)/App

for name in "${names[@]}"; do
    env -i HOME="$place/home" "$program" "$name" &
    app=$!
    for attempt in $(seq 100); do
        clean export --catalog --app "$name" --force --quiet "$place/$name.json" 2>"$place/errors" && break
        [ "$attempt" -lt 100 ] || fail "The app with $name declares nothing after 10 s: $(cat "$place/errors")"
        sleep 0.1
    done
    kill "$app"
    wait "$app" 2>/dev/null || true
    app=
    clean generate swift --source "$place/$name.json" --name "$name" --output "$place/$name.swift" --quiet
    diff "$package/Sources/App/$name.swift" "$place/$name.swift" >"$place/difference" || fail \
        "The code of $(grep "^$name:" "$place/names") is not a fixed point:" "$(head -n 40 "$place/difference")"
    clean generate swift --source "$place/$name.json" --name "$name" --output "$package/Sources/App/$name.swift" \
        --check --quiet
done
echo "${#names[@]} fixed points"
