import FlagModel
import FlagRemote
public import Logging

extension FlagStore {
    /// A store without disk or network, for tests and previews. The settings are remote values, so they can be
    /// overridden.
    ///
    /// - Parameters:
    ///   - settings: flags with their remote values.
    ///   - logger: logs invalid values.
    public static func inMemory(
        _ settings: [FlagSetting] = [], logger: Logger = Logger(label: "flags")
    ) -> FlagStore {
        let store = FlagStore(
            app: "memory", access: .open, overrides: nil,
            remote: RemoteEngine(
                sources: [], cache: RemoteCache(folder: nil), policy: RemotePolicy(minimumInterval: .zero)),
            values: LayerValues(), logger: logger)
        store.open()
        store.updateRemote(FlagTable(settings.map { ($0.name, $0.text) }) { _, last in last })
        return store
    }

    /// A store without disk or network, with these remote values by key.
    public static func inMemory(_ values: FlagTable<String>) -> FlagStore {
        inMemory(values.map { .set($0.key, to: $0.value) })
    }
}
