/// The one table of keys. Footer, help, documentation and the reducer read it; nothing else knows a key.
public enum Bindings {
    /// Every binding, in the order in which the footer prefers them and help lists them.
    public static let all: [Binding] = tables.flatMap { context, bindings in
        bindings.map { binding in
            var binding = binding
            binding.context = context
            return binding
        }
    }

    private static let tables: [(Binding.Context, [Binding])] = [
        (.list, list + actions + moving + program),
        (.filter, filter + line + programAndHelp),
        (.options, options + programAndHelp),
        (.editor, editor + line + programAndHelp),
        (.json, json + line + programAndHelp),
        (.otherValue, otherValue + programAndHelp),
        (.question, question + programAndHelp),
        (.explanation, explanation + programAndHelp),
        (.help, help + choosing + line + program),
        (.palette, palette + choosing + line + programAndHelp),
        (.copy, copy + programAndHelp),
        (.context, context + programAndHelp),
        (.report, report + programAndHelp),
        (.prompt, prompt + line + programAndHelp),
    ]

    /// The bindings of a context, in table order.
    public static func bindings(in context: Binding.Context) -> [Binding] {
        all.filter { $0.context == context }
    }
}
