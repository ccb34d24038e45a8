// What is printed of a source is its identity, which holds no secret. A source with credentials in its settings says so by
// `CustomStringConvertible, CustomReflectable`, so that neither `print` nor `dump` shows those.
extension CustomStringConvertible where Self: RemoteSource {
    /// The identity.
    public var description: String { identity.text }
}

extension CustomReflectable where Self: RemoteSource {
    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["source": identity]) }
}
