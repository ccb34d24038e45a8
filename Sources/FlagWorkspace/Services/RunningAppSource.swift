import FlagModel
import FlagPresence
import FlagRemote
import FlagStorage

/// The remote values that the running processes of an app announce: what the app's own sources and its team say.
struct RunningAppSource: RemoteSource {
    private let apps: RunningApps

    let identity: SourceIdentity
    let name: String
    let isCached = false

    init(_ settings: Settings) {
        apps = settings.apps
        (identity, name) = ("app:\(settings.app)", "flags in code")
    }

    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        RemoteDocument(announced: try RemoteDocument(parsing: bytes).values)
    }

    func changes() -> AsyncStream<LiveUpdateEvent>? {
        let (events, continuation) = AsyncStream.makeStream(
            of: LiveUpdateEvent.self, bufferingPolicy: .bufferingNewest(1))
        do throws(StorageError) {
            let watches = try apps.watch { continuation.yield(.changed) }
            continuation.onTermination = { _ in watches.forEach { $0.cancel() } }
        } catch {
            continuation.yield(
                .disconnected(SourceError(code: .unreadable, path: name, sentence: "cannot be watched: \(error)")))
        }
        return events
    }

    /// The values by key. If several processes announce a key, the value of the one that started first is used.
    func readSynchronously() throws(SourceError) -> FetchResult? {
        let values: FlagTable<String> = apps.read().apps.reduce(into: [:]) { values, app in
            for flag in app.flags where values[flag.key] == nil { values[flag.key] = flag.use?.remoteValue }
        }
        let members = values.sortedByKey.map { ($0.key, JSONOutput.string($0.value)) }
        return .values(Array(JSONOutput.object(members).text(indented: false).utf8), version: nil)
    }
}
