import FlagModel

/// TypeScript code: a module without imports.
enum TypeScriptCode: CodeWriter {
    static let words = CodeWords(
        types: [
            "Array", "Check", "FlagKey", "JSON", "JsonValue", "Math", "Number", "Object", "Readonly", "Record",
            "RegExp",
        ])

    static let opening = "export const "

    static func isDeclaration(_ line: Substring) -> Bool {
        // Other lines of the object are comments.
        line.hasPrefix("    ") && !line.hasPrefix("     ") && line.contains(": ") && line.hasSuffix("),")
    }

    static func text(of flags: [NamedFlag], in name: String, mark: String) -> String {
        // The checks below are those of another project.
        var lines = ["\(mark)\(markEnd)", "/* eslint-disable */", "// @ts-nocheck", "", reading]
        var declarations: [String] = []
        for named in flags {
            let (type, call) = declaration(of: named)
            if let type { lines += ["export type \(named.typeName) = \(type);", ""] }
            declarations += (named.blockComment + ["\(named.name): \(call),"]).indented + [""]
        }
        lines += ["/** The flags of the app. `from` reads one from an object of values by key. */"]
        return (lines + ["\(opening)\(name) = {"] + declarations.dropLast() + ["};", ""]).joined(separator: "\n")
    }

    /// The type to declare, if there is none, and the expression of a flag's key.
    private static func declaration(of named: NamedFlag) -> (type: String?, call: String) {
        let flag = named.flag
        let text = flag.defaultValue ?? ""
        let key = JSONOutput.quoted(flag.key)
        let options = flag.facts.options.map { flag.type == .string ? JSONOutput.quoted($0) : $0 }
        let isOption = flag.type == .string || flag.facts.options.contains(text)
        let type = options.isEmpty ? nil : (options + (isOption ? [] : [text])).joined(separator: " | ")
        let name = type.map { _ in named.typeName }
        let list = options.isEmpty ? "" : ", [\(options.joined(separator: ", "))]"
        switch flag.type {
        case .bool: return (nil, "bool(\(key), \(text))")
        case .int, .double: return (type, "\(flag.type.rawValue)<\(name ?? "number")>(\(key), \(text)\(list))")
        case .string: return (type, "text<\(name ?? "string")>(\(key), \(JSONOutput.quoted(text))\(list))")
        case .json:
            let json = JSONOutput.quoted(flag.sortedJSON?.text(indented: false) ?? text)
            guard let shape = CodeShape.read(text, name: "", words)?.shape else {
                return (nil, "json<JsonValue>(\(key), \(json), isAny)")
            }
            return (shape.typeScript, "json<\(named.typeName)>(\(key), \(json), \(shape.typeScriptCheck))")
        }
    }

    /// How flags are read.
    private static let reading = #"""
        /** A flag: its key, its default, and its options if only these are valid. */
        export interface FlagKey<T> {
            readonly key: string;
            readonly default: T;
            readonly options: readonly T[];
            /** The flag's value in an object of texts or other values; the default if there is no valid one. */
            from(values: { readonly [key: string]: unknown }): T;
            /** A text or another value as a value of the flag; the default if it is null or not valid. */
            read(value: unknown): T;
        }

        export type JsonValue =
            | null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

        type Check = (value: unknown) => boolean;

        const isBool: Check = (value) => typeof value === "boolean";
        const isNumber: Check = (value) => typeof value === "number" && isFinite(value);
        const isInt: Check = (value) => isNumber(value) && Math.floor(value as number) === value;
        const isText: Check = (value) => typeof value === "string";
        const isAny: Check = () => true;
        const isList = (element: Check): Check => (value) => Array.isArray(value) && value.every((one) => element(one));
        const isObject = (...members: readonly (readonly [string, Check])[]): Check =>
            (value) => typeof value === "object" && value !== null && !Array.isArray(value)
                && members.every(([name, check]) => check(member(value, name)));
        const optional = (check: Check): Check => (value) => value === undefined || value === null || check(value);

        /** The value of an object's own member. */
        const member = (values: object, name: string): unknown =>
            Object.prototype.hasOwnProperty.call(values, name) ? (values as Record<string, unknown>)[name] : undefined;

        function flag<T>(
            key: string, value: T, options: readonly T[], parse: (text: string) => unknown, check: Check
        ): FlagKey<T> {
            function read(source: unknown): T {
                if (source === null || source === undefined) return value;
                try {
                    const result = typeof source === "string" ? parse(source) : source;
                    const isValid = check(result) && (options.length === 0 || options.indexOf(result as T) >= 0);
                    return isValid ? (result as T) : value;
                } catch {
                    return value;
                }
            }
            return { key, default: value, options, read, from: (values) => read(member(values, key)) };
        }

        const parseBool = (text: string): unknown =>
            /^(1|true|t|yes|y|on)$/i.test(text) || (/^(0|false|f|no|n|off|)$/i.test(text) ? false : undefined);
        const parseNumber = (text: string): unknown => /^-?\d/.test(text) ? JSON.parse(text) : undefined;
        const bool = (key: string, value: boolean): FlagKey<boolean> => flag(key, value, [], parseBool, isBool);
        const int = <T extends number>(key: string, value: T, options: readonly T[] = []): FlagKey<T> =>
            flag(key, value, options, parseNumber, isInt);
        const double = <T extends number>(key: string, value: T, options: readonly T[] = []): FlagKey<T> =>
            flag(key, value, options, parseNumber, isNumber);
        const text = <T extends string>(key: string, value: T, options: readonly T[] = []): FlagKey<T> =>
            flag(key, value, options, (text) => text, isText);
        const json = <T>(key: string, value: string, check: Check): FlagKey<T> =>
            flag<T>(key, JSON.parse(value), [], JSON.parse, check);

        """#
}

extension CodeShape {
    /// The type, on one line.
    fileprivate var typeScript: String {
        switch self {
        case .bool: return "boolean"
        case .int, .double: return "number"
        case .text: return "string"
        case .array(let element): return "readonly (\(element.typeScript))[]"
        case .structure(_, let properties):
            let members = properties.map { property in
                let (mark, none) = property.isOptional ? ("?", " | null") : ("", "")
                return "readonly \(JSONOutput.quoted(property.member))\(mark): \(property.shape.typeScript)\(none)"
            }
            return "{ \(members.joined(separator: "; ")) }"
        }
    }

    /// The expression for a function that checks whether a value has this type.
    fileprivate var typeScriptCheck: String {
        switch self {
        case .bool: return "isBool"
        case .int: return "isInt"
        case .double: return "isNumber"
        case .text: return "isText"
        case .array(let element): return "isList(\(element.typeScriptCheck))"
        case .structure(_, let properties):
            let members = properties.map { property in
                let check = property.shape.typeScriptCheck
                return "[\(JSONOutput.quoted(property.member)), \(property.isOptional ? "optional(\(check))" : check)]"
            }
            return "isObject(\(members.joined(separator: ", ")))"
        }
    }
}
