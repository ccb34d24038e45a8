/// The one table of keys. Footer, help, documentation and the reducer read it; nothing else knows a key.
public enum Bindings {
    /// Every binding, in the order in which the footer prefers them and help lists them.
    public static let all: [Binding] = [
        list, actions, moving, filter, options, editor, json, otherValue, question, explanation, help, palette, copy,
        context, report, prompt,
    ].flatMap { $0 }

    /// The bindings of a context, in table order.
    public static func bindings(in context: Binding.Context) -> [Binding] {
        all.filter { $0.context == context }
    }
}
