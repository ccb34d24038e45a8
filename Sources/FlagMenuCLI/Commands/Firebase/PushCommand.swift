import ArgumentParser
import FlagFormats
import FlagModel
import FlagRemote
import FlagSourceFile
import FlagSourceFirebase
import FlagStorage

/// `flagmenu firebase push`.
struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "push", abstract: "Replace the template of a project by a file.",
        usage: "flagmenu firebase push <file> [--project <id>] [--yes] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu firebase push template.json --project shop --dry-run
              flagmenu firebase pull t.json --project shop-test && flagmenu firebase push t.json --project shop

            Shows what would change, validates it with Firebase, and asks. Nothing is published if somebody else has \
            published in the meantime. Parameters and conditions that the file does not have are removed. \
            flagmenu firebase publish --rollback restores the version before.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "A template, as pull and the Firebase CLI write it.", completion: .file())
    var file: String

    @OptionGroup var template: TemplateOptions

    @OptionGroup var publishing: PublishingOptions

    func run() throws {
        let settings = try template.settings(options)
        try settings.requireChanges()
        let bytes = try TemplateFile(file, settings).readTemplate()
        try settings.requireTrust()
        let published = try PublishedTemplate(settings, Services(settings.environment))
        var publication = TemplatePublication(published, settings, publishing)
        publication.isOwnSource = template.project == nil
        try publication.publish { newest in
            try TemplateDraft(newest, replacedBy: bytes, details: publishing.details)
        }
    }
}

/// A file with a whole template.
struct TemplateFile {
    let path: String
    /// The path as the user typed it.
    private let name: String

    init(_ name: String, _ settings: Settings) {
        self.name = name
        path = FilePath.resolve(name, in: settings.environment.workingDirectory)
    }

    /// The text of the template.
    ///
    /// - Throws: an error if the file cannot be read or is not a template. A document without parameters is rejected: by
    ///   mistake, it would remove all of them.
    func readTemplate() throws(CommandFailure) -> [UInt8] {
        do throws(SourceError) {
            let bytes = try SourceFileBytes(path: path).bytes
            return try SourceError.reading(name) { () throws(DocumentError) in
                let text = try DocumentFormat.plain(bytes, named: name)
                let template = try FirebaseTemplate(parsing: text)
                guard !template.parameters.isEmpty else {
                    throw DocumentError.unknownShape("the document has no parameters; expected a Firebase template")
                }
                return text
            }
        } catch {
            throw CommandFailure(.usage, "\(error.asSentence) Nothing was changed.")
        }
    }
}
