/// Names in code, made from keys, options and members of JSON objects.
enum CodeName {
    /// A name of a member, such as `darkMode` for `dark_mode`.
    ///
    /// - Parameter prefix: the start of a name that would otherwise be empty or start with a digit.
    static func member(_ text: String, prefix: String) -> String {
        let words = words(of: text)
        // Capitals beside small letters are an acronym, as in `iOSOnly`.
        let keepsCapitals = text.unicodeScalars.contains(where: \.properties.isLowercase)
        func capitalized(_ word: String) -> String { capitalizedStart(keepsCapitals ? word : word.lowercased()) }
        guard let first = words.first, first.unicodeScalars.first?.properties.isXIDStart == true else {
            return prefix + words.map(capitalized).joined()
        }
        return first.lowercased() + words.dropFirst().map(capitalized).joined()
    }

    /// A name of a type, such as `DarkMode` for `dark_mode`.
    static func type(_ text: String, prefix: String = "flag") -> String {
        capitalizedStart(member(text, prefix: prefix))
    }

    /// Distinct names in the order of `names`. Names that are taken get `suffix`, and equal names a number from 2. A name
    /// that is unique keeps its form, so that it does not depend on the others.
    ///
    /// - Parameter ignoringCase: whether names must differ in more than case, as the class files of types must on macOS.
    static func distinct(
        _ names: [String], besides taken: Set<String>, suffix: String, ignoringCase: Bool = false
    ) -> [String] {
        func form(_ name: String) -> String { ignoringCase ? name.lowercased() : name }
        let names = names.map { taken.contains($0) ? $0 + suffix : $0 }
        let originals = Set(names.map(form))
        // What begins with a small letter is no type, and has no file.
        var used = Set(taken.filter { !ignoringCase || $0.first?.isLowercase != true }.map(form))
        return names.map { name in
            var result = name
            var number = 2
            while !used.insert(form(result)).inserted {
                repeat {
                    result = "\(name)\(number)"
                    number += 1
                } while originals.contains(form(result))
            }
            return result
        }
    }

    /// The words of a text: separated by characters that names cannot have, or by a change to upper case.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word: [Unicode.Scalar] = []
        func end() {
            if !word.isEmpty { words.append(String(String.UnicodeScalarView(word))) }
            word = []
        }
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let properties = scalar.properties
            guard scalar != "_", properties.isXIDContinue, !properties.isDefaultIgnorableCodePoint else {
                end()
                continue
            }
            if properties.isUppercase, let last = word.last {
                let isBeforeLowercase = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
                if !last.properties.isUppercase || isBeforeLowercase { end() }
            }
            word.append(scalar)
        }
        end()
        return words
    }

    private static func capitalizedStart(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}

/// What names in a language cannot be.
struct CodeWords {
    /// Names that a member cannot have, or that already mean something else.
    var members: Set<String> = []
    /// The types that generated code uses, and names that a nested type cannot have.
    var types: Set<String> = []
    /// Names that a declaration writes with backticks.
    var keywords: Set<String> = []
    /// The most members that a structure can have.
    var memberLimit = Int.max

    /// Distinct names of types for texts, in their order. `XElement` is left to the elements of the list `X`.
    func typeNames(for texts: [String], besides taken: Set<String>) -> [String] {
        let names = texts.map { CodeName.type($0) }
        let taken = types.union(taken).union(names.map { "\($0)Element" })
        return CodeName.distinct(names, besides: taken, suffix: "Value", ignoringCase: true)
    }

    /// The name as it is written in a declaration.
    func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }
}
