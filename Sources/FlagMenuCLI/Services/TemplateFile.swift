import FlagModel
import FlagSourceFile
import FlagSourceFirebase

/// A document that holds a template of Firebase Remote Config. The values that it gives follow from its conditions: those of a
/// template for servers are evaluated for the context that settings name, those for clients hold where settings say so.
enum TemplateFile {
    /// What reads the conditions in a document, if it has any.
    static func refinement(_ setting: SourceSetting) -> FileSource.Evaluation {
        { bytes, document in
            guard document.kind == .firebaseTemplate, let template = try? FirebaseTemplate(parsing: bytes),
                !template.conditions.isEmpty
            else { return document }
            let context = setting.member("context").map(TemplateContext.init) ?? TemplateContext()
            let forced = setting.member("conditions").map(FirebaseTemplate.forcedConditions) ?? [:]
            return document.deciding(by: template.flags(in: context, forced: forced))
        }
    }
}
