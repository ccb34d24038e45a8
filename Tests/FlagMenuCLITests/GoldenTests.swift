import Foundation
import TestSupport
import Testing

/// The whole output of every reading command, of changes, undo, export and import, for documents of every kind.
///
/// A document that the suite writes has its whole transcript as its golden file. A fixture beside the package has only
/// a digest, because fixtures are not copied into the repository, not even as output. `TRANSCRIPTS=DIR` writes all
/// transcripts in full to a folder, so that `diff -r` compares two builds.
@Suite(.slow, .mayBlock) struct GoldenTests {
    @Test(arguments: GoldenDocument.written)
    func `written document matches its transcript`(document: GoldenDocument) throws {
        let transcript = try Transcript(of: document)
        try compare(transcript, transcript.text, named: document.goldenName)
    }

    @Test(
        .enabled(if: !GoldenDocument.fixtures.isEmpty, "the folder of fixtures is not beside the package"),
        arguments: GoldenDocument.fixtures)
    func `fixture matches its digest`(document: GoldenDocument) throws {
        let transcript = try Transcript(of: document)
        try compare(transcript, transcript.digest, named: document.goldenName)
    }

    @Test func `sample matches its transcript`() throws {
        var transcript = Transcript()
        for line in GoldenScript.sample { transcript.run(line) }
        try compare(transcript, transcript.text, named: "golden/sample")
    }

    @Test func `every golden file has its document`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/golden").filter {
            $0.hasSuffix(".txt") && (!GoldenDocument.fixtures.isEmpty || !$0.hasPrefix("fixtures/"))
        }
        let documents = GoldenDocument.written + GoldenDocument.fixtures
        let expected = documents.map(\.goldenName) + ["golden/sample"]
        #expect(Set(files.map { "golden/\($0.dropLast(4))" }).subtracting(expected).isEmpty)
    }

    /// Compares a text of a transcript with its golden file, and writes the whole transcript to the folder that
    /// `TRANSCRIPTS` names, if it is set.
    private func compare(_ transcript: Transcript, _ text: String, named name: String) throws {
        if let folder = ProcessInfo.processInfo.environment["TRANSCRIPTS"] {
            let file = URL(filePath: folder).appending(path: "\(name).txt")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(transcript.text.utf8).write(to: file)
        }
        guard let mismatch = Snapshot.mismatch(text, named: name) else { return }
        Issue.record(
            """
            \(mismatch)
            For all output, run TRANSCRIPTS=DIR swift test --filter GoldenTests with this build and with the one before, \
            and compare the folders with diff -r.
            """)
    }
}

extension Transcript {
    /// Runs the script of golden transcripts on a document.
    fileprivate init(of document: GoldenDocument) throws {
        let workplace = Workplace()
        workplace.write(#"{"dark": "true", "limit": "7", "other": "1"}"#, to: "other.json")
        var file = Fixtures.folder.appending(path: document.name)
        if let contents = document.contents {
            file = URL(filePath: workplace.place(document.name))
            try Data(contents).write(to: file)
        }
        self.init(
            workplace, in: file.deletingLastPathComponent().path,
            environment: ["FLAGMENU_SOURCE": file.lastPathComponent])
        let input = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let words = GoldenWords(
            document: file.lastPathComponent, folder: workplace.path, flags: run("list --json").output,
            evaluations: run("context --json").output)
        run(GoldenScript.reading, words, input)
        guard words.areFlagsKnown else { return }
        let isWritten = document.contents != nil
        run(isWritten ? GoldenScript.readingFlags + GoldenScript.changing : GoldenScript.fixture, words, input)
        if words.areConditionsKnown { run(GoldenScript.evaluating, words, input) }
        if isWritten { run(GoldenScript.moving, words, input) }
    }

    /// Runs the lines whose placeholders all have words. Standard input is the document.
    private mutating func run(_ lines: [String], _ words: GoldenWords, _ input: String) {
        for line in lines {
            guard let (filled, label) = words.fill(line) else { continue }
            let variables = filled.prefix { $0.contains(#/^[A-Z_]+=/#) }
            let changes = variables.map { $0.split(separator: "=", omittingEmptySubsequences: false).map(String.init) }
            run(
                Array(filled.dropFirst(variables.count)), input: input,
                environment: Dictionary(uniqueKeysWithValues: changes.map { ($0[0], $0[1]) }), label: label)
        }
    }
}
