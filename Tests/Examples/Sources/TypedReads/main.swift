// A flag as a property, and the two errors of a read by name, as in "iOS Feature Flags using Firebase". Prints:
//
// isAwesomeFeatureEnabled: true
// AWESOME_FEATURE is true
// notFound: no layer has a value for the flag "OTHER_FEATURE"
// notCastable: the flag "GREETING" has the value "hello", not a valid bool

import Flags

extension FlagKey<Bool> {
    static let awesomeFeature = FlagKey("AWESOME_FEATURE", default: false)
}

struct Screen {
    @Flag(.awesomeFeature) var isAwesomeFeatureEnabled
}

/// Reads a flag that the code does not declare, so that it has no default.
func describe(_ key: String, in flags: FlagStore) -> String {
    do throws(FlagReadError) {
        return "\(key) is \(try flags.bool(key))"
    } catch {
        return "\(error.code): \(error)"
    }
}

// In an app: FlagStore(app: "shop", sources: […]), whose sources have these values.
FlagStore.main = .inMemory(["AWESOME_FEATURE": "true", "GREETING": "hello"])

print("isAwesomeFeatureEnabled: \(Screen().isAwesomeFeatureEnabled)")
for key in ["AWESOME_FEATURE", "OTHER_FEATURE", "GREETING"] { print(describe(key, in: .main)) }
