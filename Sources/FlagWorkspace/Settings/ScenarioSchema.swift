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
                "$schema": {"type": "string"},
                "app": {"description": "The app that it was saved in.", "type": "string"},
                "source": {"description": "The sources that it was saved with.", "type": "string"},
                "exportedAt": {"description": "When it was saved, such as 2026-11-29T18:00:00Z.", "type": "string"},
                "overrides": {
                  "description": "The values of flags by key, as text or as JSON.",
                  "type": "object",
                  "additionalProperties": {"not": {"type": "null"}}
                },
                "contexts": {
                  "description": "Changed attributes of the context, and conditions set by hand, by the name of the source.",
                  "type": "object",
                  "additionalProperties": {
                    "type": "object",
                    "properties": {
                      "context": {"type": "object"},
                      "conditions": {"type": "object", "additionalProperties": {"enum": [true, false, null]}}
                    }
                  }
                },
                "notes": {
                  "description": "Why overrides exist, by key.",
                  "type": "object",
                  "additionalProperties": {"type": "string"}
                },
                "ends": {
                  "description": "How long overrides stay, by key: a duration such as 2h, or restart.",
                  "type": "object",
                  "additionalProperties": {"type": "string", "pattern": "^([1-9][0-9]*[smhd]|restart)$"}
                }
              },
              "required": ["exportedAt", "overrides"],
              "additionalProperties": false
            }
            """#)
    }
}
