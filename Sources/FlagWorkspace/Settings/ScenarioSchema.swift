package import FlagModel

extension ConfigurationSchema {
    /// The schema of a scenario's file, which is what `export` writes.
    package static var scenario: JSONOutput {
        .raw(
            #"""
            {
              "$schema": "\#(dialect)",
              "title": "FlagMenu: a scenario",
              "type": "object",
              "properties": {
                "$schema": {"type": "string"}, "app": {"type": "string"}, "source": {"type": "string"},
                "exportedAt": {"description": "When it was saved, such as 2026-11-29T18:00:00Z.", "type": "string"},
                "overrides": {"description": "Values by key, as text or JSON.", "$ref": "#/$defs/values"},
                "contexts": {"description": "By the name of the source.", "$ref": "#/$defs/contexts"},
                "notes": {"description": "Why overrides exist, by key.", "$ref": "#/$defs/texts"},
                "ends": {"description": "How long overrides stay, by key: 2h, or restart.", "$ref": "#/$defs/ends"}
              },
              "required": ["exportedAt", "overrides"],
              "additionalProperties": false,
              "$defs": {
                "values": {"type": "object", "additionalProperties": {"not": {"type": "null"}}},
                "texts": {"type": "object", "additionalProperties": {"type": "string"}},
                "ends": {"type": "object", "additionalProperties": {"pattern": "^([1-9][0-9]*[smhd]|restart)$"}},
                "contexts": {"type": "object", "additionalProperties": {"$ref": "#/$defs/context"}},
                "context": {"properties": {"context": {"type": "object"}, "conditions": {"$ref": "#/$defs/conditions"}}},
                "conditions": {"type": "object", "additionalProperties": {"enum": [true, false, null]}}
              }
            }
            """#)
    }
}
