#if Configuration
public import Configuration
import FlagModel
public import Flags

/// Provides the flags of a store to readers of swift-configuration.
///
/// With ``Layers/overrides``, put the provider before the existing providers of a server: overrides set in the menu
/// win, and nothing else changes.
///
/// Values are decoded as for declared flags: for a text that is not valid for the requested type, the next layer is
/// used, and the store logs the text once. Without a valid text there is no value, so the next provider is used;
/// reading never throws. The defaults of ``FlagKey``s are ignored, since the reader has its own defaults.
public struct FlagsProvider: ConfigProvider {
    /// The layers of a store that a provider reads.
    public enum Layers: Sendable, Hashable {
        /// All layers, including defaults that the store was opened with.
        case all
        /// Only the layers above remote values, such as launch values and overrides, for use before other providers.
        case overrides

        var inOrder: [FlagLayer] { self == .all ? FlagLayer.allCases : FlagLayer.aboveRemote }
    }

    /// The name of the provider in access reports, such as `FlagsProvider[shop]` or `FlagsProvider[shop, overrides]`.
    public let providerName: String

    private let flags: FlagStore
    private let layers: Layers
    private let keys: KeySpelling
    private let reading: ContentReading

    /// A provider of some layers of a store.
    ///
    /// - Parameters:
    ///   - flags: the store.
    ///   - layers: the layers to read; by default, all.
    ///   - keys: how a reader's key is spelled as the key of a flag; by default, with dots.
    ///   - bytes: decodes bytes from a text; by default base64, as in the providers of swift-configuration.
    public init(
        _ flags: FlagStore, layers: Layers = .all, keys: KeySpelling = .dots,
        bytes: some ConfigBytesFromStringDecoder = .base64
    ) {
        (self.flags, self.layers, self.keys) = (flags, layers, keys)
        reading = ContentReading(bytes: bytes)
        providerName = "FlagsProvider[\(flags.app)\(layers == .all ? "" : ", overrides")]"
    }

    /// The current value.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) -> LookupResult {
        lookup(key, type, at: flags.snapshot())
    }

    /// The newest value. Reads overrides from disk; with ``Layers/all``, also fetches remote values if the store's
    /// minimum fetch interval allows a request, and activates them according to the store's policy. If a fetch fails,
    /// the values in use stay, and ``Flags/FlagStore/remoteStatus`` says why.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async -> LookupResult {
        flags.readOverrides()
        if layers == .all { await flags.fetchAndActivate() }
        return value(forKey: key, type: type)
    }

    /// Passes the current value, and then each changed value, to the handler. A slow handler gets only the newest
    /// value.
    ///
    /// - Throws: errors of the handler.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let updates = flags.layerUpdates(of: keys.spell(key), in: layers.inOrder)
        defer { updates.continuation.finish() }
        let lookups = DistinctLookups(updates: updates.stream) { value(forKey: key, type: type) }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(lookups))
    }

    /// All values at one moment.
    public func snapshot() -> any ConfigSnapshot { FlagsConfigSnapshot(provider: self, flags: flags.snapshot()) }

    /// Passes all current values to the handler, and again after each change of a layer that the provider reads. A slow
    /// handler gets only the newest values.
    ///
    /// - Throws: errors of the handler.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let updates = flags.layerUpdates(in: layers.inOrder)
        defer { updates.continuation.finish() }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates.stream.map { snapshot() }))
    }

    fileprivate func lookup(_ key: AbsoluteConfigKey, _ type: ConfigType, at snapshot: FlagSnapshot) -> LookupResult {
        let name = keys.spell(key)
        let content = flags.value(of: name, at: snapshot, in: layers.inOrder, typeName: type.reportName) {
            reading.content(of: $0, as: type)
        }
        return LookupResult(encodedKey: name, value: content.map { ConfigValue($0, isSecret: false) })
    }
}

extension FlagsProvider: CustomStringConvertible {
    /// The provider's name.
    public var description: String { providerName }
}

/// The values at one moment.
private struct FlagsConfigSnapshot: ConfigSnapshot {
    let provider: FlagsProvider
    let flags: FlagSnapshot

    var providerName: String { provider.providerName }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) -> LookupResult {
        provider.lookup(key, type, at: flags)
    }
}
#endif
