#pragma once

#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

// The parts of the OpenAPI page that are the same for every environment, as JSON text.

/// The stateless calls; only in simulation mode.
inline constexpr std::string_view kControlPaths = R"json({
  "/reset": {"post": {
    "tags": ["Environment Control"], "operationId": "reset_reset_post",
    "summary": "Reset a fresh environment",
    "description": "Stateless: builds an environment, uses it once and throws it away. Episodes are played over the WebSocket at /ws.",
    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ResetRequest"}}}},
    "responses": {
      "200": {"description": "What the agent sees first", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ResetResponse"}}}},
      "422": {"description": "The request is wrong", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/HTTPValidationError"}}}}
    }}},
  "/step": {"post": {
    "tags": ["Environment Control"], "operationId": "step_step_post",
    "summary": "Step a fresh environment",
    "description": "Stateless: builds an environment, steps it without a reset and throws it away. Episodes are played over the WebSocket at /ws.",
    "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/StepRequest"}}}},
    "responses": {
      "200": {"description": "What the action led to", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/StepResponse"}}}},
      "422": {"description": "The request or the action is wrong"},
      "500": {"description": "The environment failed"}
    }}},
  "/state": {"get": {
    "tags": ["State Management"], "operationId": "endpoint_state_get",
    "summary": "State of a fresh environment",
    "description": "Stateless: the state that an environment has before its first reset.",
    "responses": {
      "200": {"description": "The initial state", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/State"}}}}
    }}}
})json";

/// What exists in every mode.
inline constexpr std::string_view kInfoPaths = R"json({
  "/metadata": {"get": {
    "tags": ["Environment Info"], "operationId": "endpoint_metadata_get",
    "summary": "What the environment is",
    "responses": {"200": {"description": "Name, description and more", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/EnvironmentMetadata"}}}}}}},
  "/health": {"get": {
    "tags": ["Health"], "operationId": "endpoint_health_get",
    "summary": "Whether the server answers",
    "responses": {"200": {"description": "It does", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/HealthResponse"}}}}}}},
  "/schema": {"get": {
    "tags": ["Schema"], "operationId": "get_schemas_schema_get",
    "summary": "JSON Schemas of action, observation and state",
    "responses": {"200": {"description": "The schemas", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SchemaResponse"}}}}}}},
  "/mcp": {"post": {
    "operationId": "mcp_endpoint_mcp_post",
    "summary": "One JSON-RPC request",
    "description": "Always answered with 200; errors are those of JSON-RPC.",
    "responses": {"200": {"description": "The JSON-RPC answer", "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}}}}}}
})json";

/// The bodies of the stateless calls, beside Action, Observation, State and ResetRequest.
inline constexpr std::string_view kControlComponents = R"json({
  "StepRequest": {
    "type": "object", "title": "StepRequest", "additionalProperties": true, "required": ["action"],
    "properties": {
      "action": {"$ref": "#/components/schemas/Action"},
      "timeout_s": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}]},
      "request_id": {"anyOf": [{"type": "string", "maxLength": 255}, {"type": "null"}]}
    }},
  "ResetResponse": {
    "type": "object", "title": "ResetResponse", "additionalProperties": false, "required": ["observation"],
    "properties": {
      "observation": {"$ref": "#/components/schemas/Observation"},
      "reward": {"anyOf": [{"type": "number"}, {"type": "null"}]},
      "done": {"type": "boolean", "default": false},
      "metadata": {"anyOf": [{"type": "object"}, {"type": "null"}]}
    }},
  "StepResponse": {
    "type": "object", "title": "StepResponse", "additionalProperties": false, "required": ["observation"],
    "properties": {
      "observation": {"$ref": "#/components/schemas/Observation"},
      "reward": {"anyOf": [{"type": "number"}, {"type": "null"}]},
      "done": {"type": "boolean", "default": false},
      "metadata": {"anyOf": [{"type": "object"}, {"type": "null"}]}
    }},
  "ValidationError": {
    "type": "object", "title": "ValidationError", "required": ["loc", "msg", "type"],
    "properties": {
      "loc": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
      "msg": {"type": "string"}, "type": {"type": "string"}, "input": {}, "ctx": {"type": "object"}
    }},
  "HTTPValidationError": {
    "type": "object", "title": "HTTPValidationError",
    "properties": {"detail": {"type": "array", "items": {"$ref": "#/components/schemas/ValidationError"}}}}
})json";

inline constexpr std::string_view kInfoComponents = R"json({
  "HealthStatus": {"type": "string", "title": "HealthStatus", "enum": ["healthy", "unhealthy", "degraded"]},
  "HealthResponse": {
    "type": "object", "title": "HealthResponse", "required": ["status"],
    "properties": {"status": {"$ref": "#/components/schemas/HealthStatus"}}},
  "EnvironmentMetadata": {
    "type": "object", "title": "EnvironmentMetadata", "additionalProperties": false, "required": ["name", "description"],
    "properties": {
      "name": {"type": "string"}, "description": {"type": "string"},
      "readme_content": {"anyOf": [{"type": "string"}, {"type": "null"}]},
      "version": {"anyOf": [{"type": "string"}, {"type": "null"}]},
      "author": {"anyOf": [{"type": "string"}, {"type": "null"}]},
      "documentation_url": {"anyOf": [{"type": "string"}, {"type": "null"}]}
    }},
  "SchemaResponse": {
    "type": "object", "title": "SchemaResponse", "required": ["action", "observation", "state"],
    "properties": {
      "action": {"type": "object", "additionalProperties": true},
      "observation": {"type": "object", "additionalProperties": true},
      "reset_observation": {"type": "object", "additionalProperties": true},
      "state": {"type": "object", "additionalProperties": true}
    }}
})json";

}  // namespace server
}  // namespace v0
}  // namespace openenv
