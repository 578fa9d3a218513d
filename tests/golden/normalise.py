"""Takes out of an outcome what must not be compared, the same way when recording and comparing.

Gone are: human text that no peer reads (it becomes `<text>`), random ids, the server's address,
version numbers in links, and the body of long strings (their length stays). What is left is a
fact that a peer could depend on.
"""

import re
from typing import Any

FREE = "<text>"
LONGEST_KEPT_STRING = 300
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
PYDANTIC_LINK = re.compile(r"https://errors\.pydantic\.dev/[0-9.]+/v/")
# Error texts that begin like this are part of the protocol; any other text of these codes is free.
PROTOCOL_TEXTS = (
    "Unknown session_id: ",
    "Session ",
    "Server at capacity: ",
    "Environment factory ",
)
FREE_TEXT_CODES = ("EXECUTION_ERROR", "SESSION_ERROR", -32000)
FREE_AFTER = ("Invalid JSON: ", "Invalid request: ", "Parse error: ")
HTTP_METHODS = ("get", "put", "post", "delete", "options", "head", "patch")


def normalise(outcome: Any, step: dict[str, Any], base_url: str) -> Any:
    facts = step.get("facts")
    if facts == "schema":
        outcome = {**outcome, "json": schema_facts(outcome["json"])}
    elif facts == "openapi":
        outcome = {**outcome, "json": openapi_facts(outcome["json"])}
    return cleaned(outcome, base_url)


def cleaned(value: Any, base_url: str) -> Any:
    if isinstance(value, str):
        value = UUID.sub("<uuid>", value.replace(base_url, "<base>"))
        value = PYDANTIC_LINK.sub("https://errors.pydantic.dev/<version>/v/", value)
        if len(value) > LONGEST_KEPT_STRING:
            return f"<{len(value)} characters>"
        return value
    if isinstance(value, list):
        return [cleaned(item, base_url) for item in value]
    if isinstance(value, dict):
        value = without_free_text(value)
        return {key: cleaned(item, base_url) for key, item in value.items()}
    return value


def without_free_text(value: dict[str, Any]) -> dict[str, Any]:
    """Replaces the free text of an error, if `value` is one."""
    message = value.get("message")
    if isinstance(message, str) and "code" in value:
        for start in FREE_AFTER:
            if message.startswith(start):
                return {**value, "message": start + FREE}
        if value["code"] in FREE_TEXT_CODES and not message.startswith(PROTOCOL_TEXTS):
            return {**value, "message": FREE}
    if value.get("type") == "json_invalid" and "ctx" in value:
        return {**value, "ctx": dict.fromkeys(value["ctx"], FREE)}
    return value


def without_descriptions(schema: Any) -> Any:
    if isinstance(schema, list):
        return [without_descriptions(item) for item in schema]
    if isinstance(schema, dict):
        return {
            key: without_descriptions(item)
            for key, item in schema.items()
            if key != "description" or not isinstance(item, str)
        }
    return schema


def schema_facts(schemas: dict[str, Any]) -> dict[str, Any]:
    """The schemas without descriptions, and the order of the fields, which a form shows."""
    return {
        "schemas": without_descriptions(schemas),
        "field_order": {
            name: list(schema.get("properties", {})) for name, schema in schemas.items()
        },
    }


def schema_of_content(holder: dict[str, Any]) -> Any:
    content = holder.get("content", {}).get("application/json", {})
    return without_descriptions(content.get("schema"))


def openapi_facts(document: dict[str, Any]) -> dict[str, Any]:
    """What a reader of the OpenAPI page can rely on: operations, bodies, answers, components."""
    operations = {}
    for path, item in document["paths"].items():
        for method in HTTP_METHODS:
            if method not in item:
                continue
            operation = item[method]
            facts = {
                "operationId": operation.get("operationId"),
                "tags": operation.get("tags", []),
                "parameters": without_descriptions(operation.get("parameters", [])),
                "responses": {
                    status: schema_of_content(answer)
                    for status, answer in operation["responses"].items()
                },
            }
            body = operation.get("requestBody")
            if body is not None:
                facts["body_required"] = body.get("required", False)
                facts["body"] = schema_of_content(body)
            operations[f"{method.upper()} {path}"] = facts
    components = document.get("components", {}).get("schemas", {})
    return {
        "openapi": document["openapi"],
        "title": document["info"]["title"],
        "version": document["info"]["version"],
        "operations": operations,
        "components": dict.fromkeys(sorted(components), True),
    }
