// Values that never change while the app runs: what is fetched, or set with `updateRemote`, is used at the next launch, as
// in "Firebase Remote Config and Swift". Prints:
//
// launch 1: 42 items, after the fetch 42
// launch 2: 10 items, after updateRemote 10
// launch 3: 7 items

import Flags
import Foundation

extension FlagKey<Int> {
    static let maximumItemCount = FlagKey("maximum_item_count", default: 42)
}

/// Stands for a service.
struct ItemService: RemoteSource {
    let identity: SourceIdentity = "item-service"
    let name = "item service"

    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> FetchResult {
        .values(Array(#"{"maximum_item_count": 10}"#.utf8), version: nil)
    }
}

/// The flags of one launch.
func launch(in folder: String) -> FlagStore {
    FlagStore(
        app: "items-example", sources: [ItemService()],
        options: .init(activation: .nextLaunch, cacheDirectory: folder))
}

func firstLaunch(in folder: String) async {
    let flags = launch(in: folder)
    let before = flags[.maximumItemCount]
    await flags.fetch()
    print("launch 1: \(before) items, after the fetch \(flags[.maximumItemCount])")
}

func secondLaunch(in folder: String) {
    let flags = launch(in: folder)
    let before = flags[.maximumItemCount]
    flags.updateRemote(["maximum_item_count": "7"])
    print("launch 2: \(before) items, after updateRemote \(flags[.maximumItemCount])")
}

let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
await firstLaunch(in: folder)
secondLaunch(in: folder)
print("launch 3: \(launch(in: folder)[.maximumItemCount]) items")
