import ArgumentParser
import FlagFormats
import FlagModel
import FlagRemote
import FlagSourceFile
import FlagSourceFirebase
import FlagWorkspace

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

    @Argument(help: "A template, as pull and the Firebase CLI write it.", completion: .file())
    var file: String

    @OptionGroup var template: TemplateOptions

    @OptionGroup var publishing: PublishingOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let settings = try template.settings(options)
        try settings.requireChanges()
        let bytes = try settings.template(at: file)
        try PublishedTemplate(settings).publish(publishing) { newest in
            try TemplateDraft(newest, replacedBy: bytes, details: publishing.details)
        }
    }
}

extension Settings {
    /// The text of a template in a file, or in standard input (`-`).
    ///
    /// - Throws: an error if the file cannot be read or is not a template. A document without parameters is rejected: by
    ///   mistake, it would remove all of them.
    func template(at name: String) throws(CommandFailure) -> [UInt8] {
        let path = name == SourceName.standardInput ? name : FilePath.resolve(name, in: environment.workingDirectory)
        do throws(SourceError) {
            let source: any RemoteSource = PipeSource(path: path) ?? FileSource(path: path)
            guard case .values(let bytes, _) = try source.readSynchronously() else { return [] }
            return try SourceError.reading(name) { () throws(DocumentError) in
                let text = try DocumentFormat.plain(bytes, named: name)
                let template = try FirebaseTemplate(parsing: text)
                guard template.parameters.isEmpty || template.isBare else { return text }
                throw DocumentError.unknownShape(
                    template.parameters.isEmpty
                        ? "the document has no parameters; expected a Firebase template"
                        : "the document is only the parameters of a template; write {\"parameters\": …} around them")
            }
        } catch {
            throw CommandFailure(.usage, "\(error.asSentence) Nothing was changed.")
        }
    }
}
