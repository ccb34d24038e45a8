import ArgumentParser
import FlagFormats
import FlagModel
import FlagStorage
import FlagWorkspace

struct GenerateCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "generate", abstract: "Write code that declares the flags.",
        usage: "flagmenu generate <language> [--output <file>] [--check] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu generate swift --source remote.json --output AppFlags.swift
              flagmenu generate swift --source remote.json --output AppFlags.swift --check
              flagmenu generate kotlin --name com.example.AppFlags --output AppFlags.kt
              flagmenu generate typescript --output flags.ts
              flagmenu generate manifest --output flags.json

            The code has a typed key for each flag, with its default, and an enumeration or a union for a list of options and \
            a structure for JSON with a clear shape. Swift code is for FlagMenu's library; Kotlin and TypeScript code need no \
            library, and read values of any client. A manifest is what OpenFeature's own generator reads.

            The default of a flag is its value in --defaults, else its remote value. Overrides, the team's values and what \
            running apps declare are ignored.

            The same flags always result in the same code, so it can be checked in. --check writes nothing, and exits with 1 \
            and the first flag that differs if the file is not up to date.
            """)

    @Argument(help: "The language.")
    var language: CodeLanguage

    @Option(help: ArgumentHelp("The file; without it, standard output.", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Only compare the file with the flags.")
    var check = false

    @Option(help: ArgumentHelp("The type around the keys; in Kotlin with its package.", valueName: "type"))
    var name = GeneratedCode.standardName

    @Flag(help: "Replace a file that generate has not written.")
    var force = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        guard name == GeneratedCode.standardName || language.isTypeName(name) else {
            throw CommandFailure(
                .usage,
                "\(JSONOutput.quoted(name, limit: 80)) cannot be the name of the type: use letters and digits, as in "
                    + "\(GeneratedCode.standardName). Nothing was written.")
        }
        guard output != nil || !check else {
            throw CommandFailure(.usage, "--check compares a file; name it with --output.")
        }
        let declarations = CodeDeclarations(of: try workspace.documentSnapshot())
        workspace.settings.warn(declarations.warnings)
        guard !declarations.flags.isEmpty else { throw CommandFailure(.noMatch, "There are no flags to declare.") }
        let code = GeneratedCode(declaring: declarations.flags, in: language, name: name)
        guard let output else { return StandardOutput.write(code.text) }
        let target = workspace.exportTarget(output)
        let earlier = try DurableFile.read(target.path).map { String(decoding: $0, as: UTF8.self) }
        let count = declarations.flags.count.counted("flag")
        guard earlier != code.text else {
            return workspace.settings.printLine("\(output) is up to date: \(count).")
        }
        guard !check else {
            let difference = earlier.map { "is not up to date: \(code.difference(from: $0))" } ?? "does not exist"
            throw CommandFailure(.noMatch, "\(output) \(difference). Run this command without --check to write it.")
        }
        if try ExportCommand.exists(target), !force, earlier?.hasPrefix(language.mark) == false {
            throw CommandFailure(
                .usage,
                "\(output) was not written by generate, so nothing was changed. --force replaces it, or choose "
                    + "another name.")
        }
        try target.write(code.text, for: .everyone)
        workspace.settings.printLine("\(count) written to \(output).")
    }
}

extension CodeLanguage: ExpressibleByArgument {}
