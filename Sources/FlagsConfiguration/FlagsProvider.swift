public import Configuration
import FlagModel
public import Flags

/// The flags of a store, for readers of swift-configuration.
///
/// In front of the providers that a server has already, one of overrides alone lets what somebody chooses in the menu win,
/// and changes nothing else.
///
/// Values are read as declared flags are: a text that does not fit the type that is asked for falls to the next layer,
/// and is reported once through the store's logger. No text at all that fits is no value, so the next provider is asked;
/// reading never throws. The defaults of ``FlagKey``s do not count, since those of the reader do.
public struct FlagsProvider: ConfigProvider {
    /// The layers of a store that a provider reads.
    public enum Layers: Sendable, Hashable {
        /// All of them, defaults that the store was opened with among them.
        case all
        /// Those above remote values alone, such as launch values and overrides: what goes in front of other providers.
        case overrides

        var inOrder: [Layer] { self == .all ? Layer.allCases : Layer.aboveRemote }
    }

    /// What access reports call the provider: `FlagsProvider[shop]`, `FlagsProvider[shop, overrides]`.
    public let providerName: String

    private let flags: FlagStore
    private let layers: Layers
    private let keys: KeySpelling
    private let reading: ContentReading

    /// A provider of some layers of a store.
    ///
    /// - Parameters:
    ///   - flags: the store.
    ///   - layers: the layers to read; all of them unless told otherwise.
    ///   - keys: how the keys of readers are spelled as keys of flags; with dots unless told otherwise.
    ///   - bytes: how a text spells bytes; base64 unless told otherwise, as with the providers of swift-configuration.
    public init(
        _ flags: FlagStore, layers: Layers = .all, keys: KeySpelling = .dots,
        bytes: some ConfigBytesFromStringDecoder = .base64
    ) {
        self.flags = flags
        self.layers = layers
        self.keys = keys
        reading = ContentReading(bytes: bytes)
        providerName = "FlagsProvider[\(flags.app)\(layers == .all ? "" : ", overrides")]"
    }

    /// The value of now.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) -> LookupResult {
        lookup(key, type, at: flags.snapshot())
    }

    /// The newest value there is: overrides as they are on disk; with all layers also remote values, which are fetched
    /// where the store's minimum fetch interval allows it, and activated where its policy does. Where a fetch fails,
    /// the values in use stay so, and ``Flags/FlagStore/remoteStatus`` says why.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async -> LookupResult {
        flags.readOverrides()
        if layers == .all { await flags.fetchAndActivate() }
        return value(forKey: key, type: type)
    }

    /// Hands over the value of now, and then each other one; whoever is slow gets the newest.
    ///
    /// - Throws: what the handler throws.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let news = flags.layerNews(of: keys.spell(key), in: layers.inOrder)
        defer { news.end() }
        let lookups = DistinctLookups(news: news.signals) { value(forKey: key, type: type) }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(lookups))
    }

    /// All values of now, of one moment.
    public func snapshot() -> any ConfigSnapshot { FlagsConfigSnapshot(provider: self, flags: flags.snapshot()) }

    /// Hands over all values of now, and again after each change of any layer that is read; whoever is slow gets the
    /// newest.
    ///
    /// - Throws: what the handler throws.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let news = flags.layerNews(in: layers.inOrder)
        defer { news.end() }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(news.signals.map { snapshot() }))
    }

    fileprivate func lookup(_ key: AbsoluteConfigKey, _ type: ConfigType, at snapshot: FlagSnapshot) -> LookupResult {
        let name = keys.spell(key)
        let content = flags.value(of: name, at: snapshot, in: layers.inOrder, typeName: type.spokenName) {
            reading.content(of: $0, as: type)
        }
        return LookupResult(encodedKey: name, value: content.map { ConfigValue($0, isSecret: false) })
    }
}

extension FlagsProvider: CustomStringConvertible {
    /// The provider's name.
    public var description: String { providerName }
}

/// The values of one moment.
private struct FlagsConfigSnapshot: ConfigSnapshot {
    let provider: FlagsProvider
    let flags: FlagSnapshot

    var providerName: String { provider.providerName }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) -> LookupResult {
        provider.lookup(key, type, at: flags)
    }
}
