#!/usr/bin/env bash
# The code of flagmenu generate, for every fixture. Swift code compiles without warnings in a package that links Flags
# alone, and has the format that swift-format demands. Kotlin code compiles with Debian's old compiler, for the JVM and
# against the common library alone, and with a current one from the package index. TypeScript code compiles under
# --strict. Kotlin and TypeScript code reads its own defaults, and hostile values.
#
# All code is a fixed point of --check. Swift code also is one of an app: the app with the code runs, flagmenu export
# --catalog writes what it declares, and the code for that document must be the same text. A manifest is read as the
# flags that it was made from.
#
# usage: generated-code.sh [--programs FOLDER]
#
# The fixtures are the documents in generated-code/, and those beside the package that flagmenu can read. The package is
# kept in .build/generated-code, so that only the first run builds Flags. Exits with 77 if a compiler is missing.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
needs kotlinc java tsc node
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
mkdir -p "$package/Sources/App" "$package/Sources/MainActorApp" "$place/lint" "$place/home" "$place/kotlin" "$place/ts"

# Runs flagmenu without the settings of this machine.
clean() { env -i HOME="$place/home" PATH="$PATH" "$programs/flagmenu" "$@"; }

# The generated files of a fixture besides Swift's, and the arguments that generate one.
files_of() { echo "$place/kotlin/$1.kt" "$place/ts/$1.ts" "$place/$1.manifest"; }
language_of() {
    case $1 in
    *.kt) echo kotlin --name "com.example.flags.$(basename "$1" .kt)" ;;
    *.ts) echo typescript ;;
    *) echo manifest ;;
    esac
}

if [ -d "$shared" ]; then
    while IFS= read -r document; do documents+=("$document"); done < <(find "$shared" -name '*.json' | LC_ALL=C sort)
else
    echo "skipped: the fixtures beside the package, as $shared is missing"
fi

# A class file has no literal that is longer than 65,535 bytes.
python3 -c 'import json; print(json.dumps({"long": "$\u20ac" * 30_000, "json": json.dumps(["\u20ac"] * 20_000)}))' \
    >"$place/long.json"
documents+=("$place/long.json")

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
        for file in $(files_of "$name"); do
            generate=(clean generate $(language_of "$file") --source "$document" --output "$file" --quiet)
            "${generate[@]}" 2>/dev/null
            "${generate[@]}" --check 2>/dev/null || fail "--check differs from what was written for $document: $file"
        done
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
# The last document has literals that no format can break.
rm "$place/lint/${names[${#names[@]} - 1]}.swift"
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

for name in "${names[@]}"; do
    # In a manifest, this is not a flag.
    ! grep -q '^    "$schema": {' "$place/$name.manifest" || continue
    clean generate manifest --source "$place/$name.manifest" --output "$place/$name.manifest" --check --quiet ||
        fail "The manifest of $(grep "^$name:" "$place/names") is read as other flags."
done

# Both programs print the number of flags of each fixture, and check what they read.
cp "$scripts"/generated-code/reading.ts "$place/ts/"
{
    for name in "${names[@]}"; do
        echo "import { AppFlags as $name } from \"./$name\";"
        echo "console.log(\"$name\", Object.values($name).filter((flag) => \"key\" in flag).length);"
    done
} >"$place/ts/main.ts"
# What hides errors from users of the code must not hide them here.
sed -i '/^\/\/ @ts-nocheck$/d' "$place"/ts/*.ts
tsc --strict --noUnusedParameters --target es2017 --module commonjs --outDir "$place/js" "$place"/ts/*.ts ||
    fail "The TypeScript code does not compile."
node "$place/js/reading.js"
node "$place/js/main.js" >"$place/typescript.txt"
diff <(for name in "${names[@]}"; do echo "$name $(grep -c '^      "flagType"' "$place/$name.manifest")"; done) \
    "$place/typescript.txt" || fail "TypeScript code has other flags than the manifest."

cp "$scripts"/generated-code/Reading.kt "$place/kotlin/"
sed 's/^\(.*\) .*/    println("\1 " + \1.all.size)/; 1i import com.example.flags.*\nfun main() {\n    read()' \
    "$place/typescript.txt" >"$place/kotlin/Main.kt"
echo "}" >>"$place/kotlin/Main.kt"

# kotlin NAME COMMAND...: compiles and runs the Kotlin code.
kotlin() {
    local name=$1
    shift
    "$@" -d "$place/$name.jar" "$place"/kotlin/*.kt >"$place/build.log" 2>&1 ||
        fail "Kotlin code does not compile with $name:" "$(grep -v '^OpenJDK' "$place/build.log" | head -n 40)"
    java -cp "$place/$name.jar:$library" MainKt >"$place/$name.txt"
    diff "$place/typescript.txt" "$place/$name.txt" || fail "The Kotlin code of $name has other flags than TypeScript's."
}
python_packages "$repository/.build/generated-code-packages" "$scripts"/generated-code/{requirements,alone}.txt
jars=$(echo "$repository"/.build/generated-code-packages/lib/python3*/site-packages/run_kotlin_kernel/jars)
library=$(echo "$jars"/kotlin-stdlib-*.jar)
kotlin new java -cp "$jars/*" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -Werror -no-stdlib -no-reflect -cp "$library"
library=/usr/share/java/kotlin-stdlib.jar
kotlin old kotlinc
# The common library has nothing of the JVM.
KOTLIN_COMPILER=org.jetbrains.kotlin.cli.metadata.K2MetadataCompiler kotlinc \
    -cp /usr/share/java/kotlin-stdlib-common.jar -d "$place/common" "$place"/kotlin/Fixture*.kt >"$place/build.log" 2>&1 ||
    fail "Kotlin code needs the JVM:" "$(grep -v '^OpenJDK' "$place/build.log" | head -n 40)"
echo "Kotlin and TypeScript code of ${#names[@]} documents compiles and reads its flags"
