public import FlagModel

extension FlagSnapshot {
    /// The value of a flag at that moment, and the reason for it. Counts as a read.
    public func evaluationDetails<Value>(of key: FlagKey<Value>) -> EvaluationDetails<Value> {
        let resolution = read(key)
        return details(of: key.declaration, value: resolution.value, resolution)
    }

    /// Reads a flag: invalid texts, and the read itself, are reported to the store.
    func read<Value>(_ key: FlagKey<Value>) -> FlagResolution<Value> {
        let declaration = key.declaration
        onRead(.value(declaration), values)
        let resolution = declaration.resolve(in: values)
        if !resolution.refused.isEmpty { onRejection(declaration, resolution.refused) }
        onEvaluation?(details(of: declaration, value: resolution.text, resolution))
        return resolution
    }

    private func details<Value, Result>(
        of declaration: FlagDeclaration<Value>, value: Result, _ resolution: FlagResolution<Value>
    ) -> EvaluationDetails<Result> {
        let code = declaration.type == .json ? EvaluationErrorCode.parseError : .typeMismatch
        return EvaluationDetails(
            flagKey: declaration.name, value: value,
            origin: origin(of: declaration.name, in: resolution.layer, type: declaration.type),
            error: resolution.refused.first.map { (code, $0.sentence) })
    }

    /// The details of a text that the code reads by a key that no code declares.
    func details(of key: String, as type: FlagType, _ winner: Explanation.Entry?) -> EvaluationDetails<String?> {
        let text = winner?.value?.string
        let isValid = text.map(type.accepts) ?? false
        let error = FlagReadError(code: text == nil ? .notFound : .notCastable, key: key, text: text, type: type)
        let code =
            text == nil ? EvaluationErrorCode.flagNotFound : type == .json ? .parseError : .typeMismatch
        return EvaluationDetails(
            flagKey: key, value: text, origin: origin(of: key, in: winner?.layer, type: type),
            error: isValid ? nil : (code, error.description.asSentence))
    }

    private func origin(of key: String, in layer: FlagLayer?, type: FlagType) -> EvaluationOrigin {
        EvaluationOrigin(layer, type: type, override: layer.flatMap { values[$0].overrides[key] })
    }
}
