public import FlagModel
import Synchronization

extension FlagSnapshot {
    /// The value of a flag at that moment, and the reason for it. Counts as a read.
    public func evaluationDetails<Value>(of key: FlagKey<Value>) -> EvaluationDetails<Value> {
        let resolution = read(key)
        return values.details(of: key.declaration, value: resolution.value, resolution)
    }

    /// Reads a flag: invalid texts, and the read itself, are reported to the store.
    func read<Value>(_ key: FlagKey<Value>) -> FlagResolution<Value> {
        let declaration = key.declaration
        store.recordRead(of: .value(declaration), in: values)
        let resolution = declaration.resolve(in: values)
        store.report(resolution, of: declaration, in: values)
        return resolution
    }
}

extension FlagStore {
    /// Reports a read: its invalid texts, and the value to the handlers of evaluations.
    func report<Value>(
        _ resolution: FlagResolution<Value>, of declaration: FlagDeclaration<Value>, in values: LayerValues
    ) {
        if !resolution.refused.isEmpty {
            state.withLock { $0.readFlags[declaration.slot] = declaration }
            reportOnce(resolution.refused)
        }
        let (key, type) = (declaration.name, declaration.type)
        report(Exposure(key: key, type: type, text: resolution.text, layer: resolution.layer)) {
            values.details(of: declaration, value: resolution.text, resolution)
        }
    }
}

// Details.
extension LayerValues {
    fileprivate func details<Value, Result>(
        of declaration: FlagDeclaration<Value>, value: Result, _ resolution: FlagResolution<Value>
    ) -> EvaluationDetails<Result> {
        let code = declaration.type == .json ? EvaluationErrorCode.parseError : .typeMismatch
        return EvaluationDetails(
            flagKey: declaration.name, value: value,
            origin: origin(of: declaration.name, in: resolution.layer, type: declaration.type),
            error: resolution.refused.first.map { (code, $0.sentence) })
    }

    /// The details of a text that the code reads by a key that no code declares.
    func details(of key: String, as type: FlagType, _ text: String?, in layer: FlagLayer?) -> EvaluationDetails<String?>
    {
        let isValid = text.map(type.accepts) ?? false
        let error = FlagReadError(code: text == nil ? .notFound : .notCastable, key: key, text: text, type: type)
        let code =
            text == nil ? EvaluationErrorCode.flagNotFound : type == .json ? .parseError : .typeMismatch
        return EvaluationDetails(
            flagKey: key, value: text, origin: origin(of: key, in: layer, type: type),
            error: isValid ? nil : (code, error.description.asSentence))
    }

    private func origin(of key: String, in layer: FlagLayer?, type: FlagType) -> EvaluationOrigin {
        EvaluationOrigin(layer, type: type, override: layer.flatMap { self[$0].overrides[key] })
    }
}
