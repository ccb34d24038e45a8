import FlagModel
import FlagStorage
import Platform
import Synchronization

/// Watches stores in folders of their own, and changes every second one. Prints how many threads the watches have
/// started, and then the numbers of the stores whose watches have reported a change, sorted.
func watchStores(in directory: String, count: Int, now: @escaping @Sendable () -> FlagTimestamp) -> Int32 {
    let reported = Mutex<Set<Int>>([])
    let changed = Array(stride(from: 0, to: count, by: 2))
    do throws(StorageError) {
        var stores: [OverrideStore] = []
        for number in 0..<count {
            stores.append(OverrideStore(directory: "\(directory)/\(number)", author: "watcher", now: now))
            _ = try stores[number].apply([.set(key: "a", value: "1")])
        }
        let earlierThreads = threadCount()
        var watches: [DirectoryWatch] = []
        for number in 0..<count {
            watches.append(try stores[number].watch { reported.withLock { _ = $0.insert(number) } })
        }
        print(threadCount() - earlierThreads)
        for number in changed { _ = try stores[number].apply([.set(key: "a", value: "2")]) }
        for _ in 0..<10_000 where reported.withLock({ $0.count }) < changed.count { usleep(1_000) }
        withExtendedLifetime(watches) {}
    } catch {
        print(error.sentence)
        return 4
    }
    for number in reported.withLock({ $0.sorted() }) { print(number) }
    return 0
}

/// The number of threads of this process, on Linux.
private func threadCount() -> Int { ((try? DurableFile.names(in: "/proc/self/task")) ?? []).count }
