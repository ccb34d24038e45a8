// Toggles with a type and a fallback, and a notification of those that were updated, as with CloudKit FeatureToggles.
// Prints:
//
// feature1: false, feature2: true
// updated: ["feature1", "feature2"]
// feature1: true, feature2: false
// feature2 was false and is true: the fallback is in use again

import Flags

extension FlagKey<Bool> {
    static let feature1 = FlagKey("feature1", default: false)
    static let feature2 = FlagKey("feature2", default: true)
}

/// A record of the type FeatureStatus in the public database.
struct FeatureStatus {
    var featureName: String
    var isActive: Int64
}

/// Called with the records that were fetched at the start, or after a silent push notification.
func receive(_ records: [FeatureStatus], for flags: FlagStore) {
    flags.updateRemote(FlagTable(records.map { ($0.featureName, String($0.isActive)) }) { _, last in last })
}

func printToggles(_ flags: FlagStore) { print("feature1: \(flags[.feature1]), feature2: \(flags[.feature2])") }

// In an app: FlagStore(app: "shop"); FlagSourceCloudKit fetches such records itself.
let flags = FlagStore.inMemory()
printToggles(flags)

let updates = flags.snapshots
receive(
    [FeatureStatus(featureName: "feature1", isActive: 1), FeatureStatus(featureName: "feature2", isActive: 0)],
    for: flags)
for await update in updates {
    print("updated: \(update.changedKeys.sorted())")
    break
}
printToggles(flags)

let changes = flags.changes(of: .feature2)
receive([FeatureStatus(featureName: "feature1", isActive: 1)], for: flags)
for await change in changes {
    print("\(change.key) was \(change.old) and is \(change.new): the fallback is in use again")
    break
}
