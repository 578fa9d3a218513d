#pragma once

#include <openenv/base/json.hpp>

namespace cli {
namespace test {

/// A schema as pydantic writes it, with a field of every kind.
[[nodiscard]] inline openenv::Json every_kind() {
    return openenv::Json::parse(R"({
        "$defs": {
            "Colour": {"enum": ["red", "green"], "title": "Colour", "type": "string"},
            "Go": {
                "title": "Go", "type": "object", "description": "Walks",
                "properties": {
                    "kind": {"const": "go", "default": "go", "title": "Kind", "type": "string"},
                    "steps": {"type": "integer", "minimum": 1}
                },
                "required": ["steps"]
            },
            "Say": {
                "title": "Say", "type": "object",
                "properties": {
                    "kind": {"enum": ["say"], "default": "say", "type": "string"},
                    "what": {"type": "string"}
                },
                "required": ["what"]
            }
        },
        "title": "EveryKind", "type": "object",
        "properties": {
            "metadata": {"additionalProperties": true, "type": "object", "title": "Metadata"},
            "flag": {"type": "boolean", "default": false},
            "count": {"type": "integer", "minimum": 1, "maximum": 10, "description": "How many"},
            "ratio": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.5},
            "name": {"type": "string", "minLength": 2, "maxLength": 4},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
            "colour": {"$ref": "#/$defs/Colour"},
            "hue": {"allOf": [{"$ref": "#/$defs/Colour"}], "default": "red"},
            "level": {"enum": [3, 2, 1], "type": "integer"},
            "fixed": {"const": "it", "type": "string"},
            "words": {"type": "array", "items": {"type": "string"}, "default": []},
            "table": {"type": "object", "additionalProperties": {"type": "integer"}},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "move": {
                "discriminator": {
                    "mapping": {"go": "#/$defs/Go", "say": "#/$defs/Say"}, "propertyName": "kind"
                },
                "oneOf": [{"$ref": "#/$defs/Go"}, {"$ref": "#/$defs/Say"}]
            },
            "maybe_move": {
                "anyOf": [{"$ref": "#/$defs/Go"}, {"$ref": "#/$defs/Say"}, {"type": "null"}],
                "default": null
            },
            "free": {}
        },
        "required": ["count", "name", "colour", "level", "fixed", "either", "move"]
    })");
}

}  // namespace test
}  // namespace cli
