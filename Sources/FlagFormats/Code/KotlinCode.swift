import FlagModel

/// Kotlin code for all platforms: it uses the common standard library, and nothing else.
enum KotlinCode: CodeWriter {
    static let words = CodeWords(
        // A property named class would replace `getClass` of the JVM.
        members: ["all", "class"],
        types: [
            "Any", "ArrayList", "Array", "Boolean", "Char", "Companion", "Double", "Enum", "FlagKey",
            "IllegalArgumentException", "Int", "JsonReader", "List", "Long", "Map", "Nothing", "Number",
            "Pair", "Regex", "String", "StringBuilder", "Suppress", "Unit",
        ],
        keywords: [
            "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is",
            "null", "object", "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof",
            "val", "var", "when", "while", "yield",
        ],
        // A method of the JVM has 255 slots for parameters: two for a number, and some for defaults.
        memberLimit: 120)

    static let opening = "object "

    static func isDeclaration(_ line: Substring) -> Bool {
        line.hasPrefix("    val ") && line.contains(": FlagKey<")
    }

    static func text(of flags: [NamedFlag], in name: String, mark: String) -> String {
        let type = name.split(separator: ".").last ?? ""
        let package = name.dropLast(type.count + 1)
        var lines = ["\(mark)\(markEnd)", "@file:Suppress(\"ALL\", \"warnings\")", ""]
        if !package.isEmpty { lines += ["package \(package)", ""] }
        lines += [
            "/** The flags of the app. `from` reads one from a map of values, such as Firebase's texts. */",
            "\(opening)\(type) {",
        ]
        lines += flags.flatMap { declaration(of: $0).indented + [""] }
        lines += ["    /** All flags. */", "    val all: List<FlagKey<*>> = listOf("]
        lines += flags.map { "        \(escaped($0.name))" }.separated + ["    )", ""]
        let isReadingJSON = flags.contains { $0.flag.type == .json }
        return lines.joined(separator: "\n") + "\n" + reading + (isReadingJSON ? readingJSON : "") + "}\n"
    }

    private static func declaration(of named: NamedFlag) -> [String] {
        let flag = named.flag
        let text = flag.defaultValue ?? ""
        let key = string(flag.key)
        var types: [String] = []
        let type, call: String
        switch flag.type {
        case .bool: (type, call) = ("Boolean", "bool(\(key), \(text))")
        case .int, .double:
            // The literal of the smallest number would be the negative of one that is too large.
            let numbers = ([text] + flag.facts.options).map { $0 == "\(Int.min)" ? "Long.MIN_VALUE" : $0 }
            type = flag.type == .int ? "Long" : "Double"
            call = "\(flag.type.rawValue)(\(([key] + numbers).joined(separator: ", ")))"
        case .string where flag.facts.options.isEmpty: (type, call) = ("String", "text(\(key), \(string(text)))")
        case .string:
            type = escaped(named.typeName)
            let names = CodeName.distinct(
                flag.facts.options.map { $0.isEmpty ? "Empty" : CodeName.type($0, prefix: "option") },
                besides: words.types.union([named.typeName]), suffix: "Option")
            let cases = zip(names, flag.facts.options).map { "\(escaped($0))(\(string($1)))" }
            types = ["enum class \(type)(val value: String) {"] + cases.separated.indented + ["}"]
            let standard = flag.facts.options.firstIndex(of: text) ?? 0
            call = "option(\(key), \(type).\(escaped(names[standard])), \(type).values().toList()) { it.value }"
        case .json:
            let read = CodeShape.read(text, name: named.typeName, words)
            let json = flag.sortedJSON?.text(indented: false) ?? text
            (types, type) = (read?.shape.kotlinTypes ?? [], read?.shape.kotlinName ?? "Any?")
            call = "json(\(key), \(string(json))) { \(read?.shape.kotlinReading("it") ?? "it") }"
        }
        if !types.isEmpty { types.append("") }
        return types + named.blockComment + ["val \(escaped(named.name)): FlagKey<\(type)> = \(call)"]
    }

    /// A name with backticks if it is a keyword, or may have a character that names cannot have without.
    static func escaped(_ name: String) -> String {
        name.utf8.allSatisfy { $0 < 0x80 } ? words.escaped(name) : "`\(name)`"
    }

    /// The maximum number of scalars in a literal: a class file has no longer text than 65,535 bytes.
    private static let literalLimit = 10_000

    static func string(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count > literalLimit else {
            // A mark beside the dollar makes one character of both.
            return JSONOutput.quoted(text).replacing(/\$/.matchingSemantics(.unicodeScalar), with: "\\$")
        }
        let parts = stride(from: 0, to: scalars.count, by: literalLimit).map { start in
            string(String(String.UnicodeScalarView(scalars[start..<min(start + literalLimit, scalars.count)])))
        }
        return "listOf(\(parts.joined(separator: ", "))).joinToString(\"\")"
    }

    /// What every file has: how flags are read.
    private static let reading = #"""
            /** A flag: its key, its default, and its options if only these are valid. */
            class FlagKey<T> internal constructor(
                val key: String, val default: T, val options: List<T>,
                private val parse: (String) -> Any?, private val convert: (Any?) -> T
            ) {
                /** The flag's value in a map of texts or other values; the default if there is no valid one. */
                fun from(values: Map<String, Any?>): T = read(values[key])

                /** A text, Boolean, Number, Map or List as a value of the flag; the default if it is null or not valid. */
                fun read(value: Any?): T {
                    if (value == null) return default
                    return try {
                        val result = convert(if (value is String) parse(value) else value)
                        if (options.isEmpty() || result in options) result else default
                    } catch (error: IllegalArgumentException) {
                        default
                    }
                }
            }

            private fun bool(key: String, default: Boolean) = FlagKey(key, default, listOf(), { word(it) }, { asBool(it) })

            private fun int(key: String, default: Long, vararg options: Long) =
                FlagKey(key, default, options.toList(), { number(it) }, { asInt(it) })

            private fun double(key: String, default: Double, vararg options: Double) =
                FlagKey(key, default, options.toList(), { number(it) }, { asDouble(it) })

            private fun text(key: String, default: String) = FlagKey(key, default, listOf(), { it }, { asText(it) })

            private fun <T : Any> option(key: String, default: T, options: List<T>, text: (T) -> String) =
                FlagKey(key, default, options, { it }, { value -> requireNotNull(options.find { text(it) == value }) })

            private fun asBool(value: Any?): Boolean = requireNotNull(value as? Boolean)

            private fun asDouble(value: Any?): Double =
                requireNotNull(value as? Number).toDouble().also { require(it - it == 0.0) }

            private fun asText(value: Any?): String = requireNotNull(value as? String)

            private fun asInt(value: Any?): Long {
                val number = requireNotNull(value as? Number)
                require(number is Long || number.toLong().toDouble() == number.toDouble())
                require(number is Long || number.toDouble() < 9.2e18)
                return number.toLong()
            }

            private fun word(text: String): Boolean {
                fun isOneOf(vararg words: String) = words.any { it.equals(text, ignoreCase = true) }
                require(isOneOf("0", "false", "f", "no", "n", "off", "") || isOneOf("1", "true", "t", "yes", "y", "on"))
                return isOneOf("1", "true", "t", "yes", "y", "on")
            }

            private fun number(text: String): Number {
                require(Regex("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?").matches(text))
                return text.toLongOrNull() ?: text.toDouble()
            }

        """#

    private static let readingJSON = #"""

            private fun <T> json(key: String, default: String, convert: (Any?) -> T): FlagKey<T> =
                FlagKey(key, convert(JsonReader(default).read()), listOf(), { JsonReader(it).read() }, convert)

            private fun <T> asList(value: Any?, element: (Any?) -> T) = requireNotNull(value as? List<*>).map(element)

            private fun member(value: Any?, name: String): Any? = requireNotNull(value as? Map<*, *>)[name]

            /** Reads JSON as Boolean, Number, String, List, Map or null. */
            private class JsonReader(private val text: String) {
                private var index = 0

                fun read(): Any? = value(0).also { require(next() == null) }

                /** The next character that is not white space; null at the end. */
                private fun next(): Char? {
                    while (index < text.length && text[index] in " \t\r\n") index += 1
                    return text.getOrNull(index)
                }

                private fun skip(character: Char) {
                    require(next() == character)
                    index += 1
                }

                private fun value(depth: Int): Any? {
                    // A document from elsewhere must not exhaust the stack.
                    require(depth < 128)
                    return when (next()) {
                        '{' -> items('}') { string().also { skip(':') } to value(depth + 1) }.toMap()
                        '[' -> items(']') { value(depth + 1) }
                        '"' -> string()
                        else -> word()
                    }
                }

                private fun <T> items(end: Char, item: () -> T): List<T> {
                    val items = ArrayList<T>()
                    index += 1
                    while (next() != end) {
                        if (items.size > 0) skip(',')
                        items.add(item())
                    }
                    index += 1
                    return items
                }

                private fun string(): String {
                    val result = StringBuilder()
                    skip('"')
                    while (text.getOrNull(index) != '"') {
                        val character = character()
                        require(character >= ' ')
                        result.append(if (character == '\\') escape() else character)
                    }
                    index += 1
                    return result.toString()
                }

                private fun character(): Char = requireNotNull(text.getOrNull(index++))

                private fun escape(): Char {
                    val letter = character()
                    if (letter == 'u') {
                        index += 4
                        require(index <= text.length)
                        return text.substring(index - 4, index).toInt(16).toChar()
                    }
                    val place = "\"\\/bfnrt".indexOf(letter)
                    require(place >= 0)
                    return "\"\\/\b\u000C\n\r\t"[place]
                }

                private fun word(): Any? {
                    val start = index
                    while (index < text.length && text[index] !in ",]} \t\r\n") index += 1
                    return when (val word = text.substring(start, index)) {
                        "true" -> true
                        "false" -> false
                        "null" -> null
                        else -> number(word)
                    }
                }
            }

        """#
}

extension [String] {
    /// The items of a list, with a comma after each but the last.
    fileprivate var separated: [String] { dropLast().map { "\($0)," } + suffix(1) }
}

extension CodeShape {
    fileprivate var kotlinName: String {
        switch self {
        case .bool: "Boolean"
        case .int: "Long"
        case .double: "Double"
        case .text: "String"
        case .array(let element): "List<\(element.kotlinName)>"
        case .structure(let name, _): KotlinCode.escaped(name)
        }
    }

    /// The declarations of its types, line by line.
    fileprivate var kotlinTypes: [String] {
        switch self {
        case .bool, .int, .double, .text: return []
        case .array(let element): return element.kotlinTypes
        case .structure(let name, let properties):
            let parameters = properties.map { property in
                let type = property.shape.kotlinName + (property.isOptional ? "? = null" : "")
                return "val \(KotlinCode.escaped(property.name)): \(type)"
            }
            let arguments = properties.map { property in
                let member = "member(json, \(KotlinCode.string(property.member)))"
                return property.isOptional
                    ? "\(member)?.let { \(property.shape.kotlinReading("it")) }" : property.shape.kotlinReading(member)
            }
            let types = properties.map(\.shape.kotlinTypes).filter { !$0.isEmpty }.flatMap { [""] + $0 }
            let body = ["internal constructor(json: Any?) : this("] + arguments.separated.indented + [")"] + types
            return ["data class \(KotlinCode.escaped(name))("] + parameters.separated.indented + [") {"]
                + body.indented + ["}"]
        }
    }

    /// The expression that reads the result of another one; it throws if that is not of this type.
    fileprivate func kotlinReading(_ value: String) -> String {
        switch self {
        case .bool: "asBool(\(value))"
        case .int: "asInt(\(value))"
        case .double: "asDouble(\(value))"
        case .text: "asText(\(value))"
        case .array(let element): "asList(\(value)) { \(element.kotlinReading("it")) }"
        case .structure(let name, _): "\(KotlinCode.escaped(name))(\(value))"
        }
    }
}
