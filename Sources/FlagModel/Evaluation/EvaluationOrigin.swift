/// Where a value comes from, as OpenFeature describes it to apps, whether they link the library or ask a server.
package struct EvaluationOrigin: Sendable {
    /// The layer of the value; `nil` if no layer has one.
    package let layer: FlagLayer?
    /// What else is known about the value, in a stable order.
    package let metadata: [(String, String)]

    /// - Parameters:
    ///   - layer: the layer of the value; `nil` if no layer has one.
    ///   - type: the flag's type.
    ///   - override: the value that was set by hand, with its author and time; `nil` if the layer has none.
    ///   - source: the name of the source of a remote value.
    package init(_ layer: FlagLayer?, type: FlagType, override: FlagOverride?, source: String? = nil) {
        self.layer = layer
        metadata = [
            ("type", type.rawValue), ("setBy", override?.setBy), ("setAt", override?.setAt?.rfc3339),
            ("source", layer == .remote ? source : nil),
        ].compactMap { name, text in text.map { (name, $0) } }
    }

    /// The layer: some clients reject a response without a variant, and the layer tells a tester's value from a remote
    /// one.
    package var variant: String { layer?.word ?? "none" }

    /// Why the flag has its value.
    package var reason: EvaluationReason {
        switch layer {
        case .launch, .override, .team: .targetingMatch
        case .remote: .static
        case .default: .default
        case nil: .unknown
        }
    }
}
