import FlagModel
package import FlagRemote

extension FirebaseTemplate {
    /// What evaluates the conditions of a template in a document, such as a file: those of a template for servers for the context
    /// of its source, those for clients as settings decide them by hand.
    package static func evaluation(_ settings: SourceSettings) -> DocumentEvaluation {
        { bytes, document in
            guard document.kind == .template, let template = try? FirebaseTemplate(parsing: bytes),
                !template.conditions.isEmpty
            else { return document }
            let context = settings.member("context").map(TemplateContext.init) ?? TemplateContext()
            let forced = settings.member("conditions").map(FirebaseTemplate.forcedConditions) ?? [:]
            return document.deciding(by: template.flags(in: context, forced: forced))
        }
    }
}
