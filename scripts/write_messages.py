"""Write the client's TypeScript types from the server's message models: `uv run python scripts/write_messages.py`."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from whistlestop.server import board_messages, end_messages, messages, score_messages

WEB = Path(__file__).parents[1] / "web"
TARGET = WEB / "src" / "messages.ts"


def models() -> list[type[messages.Data] | type[messages.ClientMessage]]:
    """Every message, in the order of the files."""
    found = [
        value
        for value in {**vars(messages), **vars(end_messages), **vars(board_messages), **vars(score_messages)}.values()
        if inspect.isclass(value) and issubclass(value, messages.Data | messages.ClientMessage)
    ]
    return [model for model in found if model not in (messages.Data, messages.ClientMessage)]


def plain_schema(schema: Any) -> Any:
    """The schema as json2ts understands it: without a title for every field, as each would become a type of its own."""
    if isinstance(schema, dict):
        named = schema.get("properties")
        plain = {key: plain_schema(value) for key, value in schema.items() if key != "title" or isinstance(value, dict)}
        if "prefixItems" in plain:  # the older spelling of tuples, which json2ts knows
            plain["items"] = plain.pop("prefixItems")
        if isinstance(named, dict):
            plain["properties"] = {key: plain_schema(value) for key, value in named.items()}
        return plain
    return [plain_schema(part) for part in schema] if isinstance(schema, list) else schema


def schema() -> dict[str, Any]:
    """One JSON schema with every message among its definitions."""
    modes: list[tuple[type[BaseModel], Literal["validation", "serialization"]]] = [
        (model, "validation" if issubclass(model, messages.ClientMessage) else "serialization") for model in models()
    ]
    _, found = models_json_schema(modes)
    definitions = plain_schema(found["$defs"])
    names = [model.__name__ for model in models()]
    sent = [model.__name__ for model in models() if issubclass(model, messages.Data) and "t" in model.model_fields]
    definitions["FromServer"] = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in sent]}
    return {
        "$defs": definitions,
        "type": "object",
        "properties": {name: {"$ref": f"#/$defs/{name}"} for name in [*names, "FromServer"]},
        "additionalProperties": False,
    }


def typescript() -> str:
    """The types as TypeScript."""
    tool = WEB / "node_modules" / ".bin" / "json2ts"
    if not tool.exists():
        sys.exit("error: the client's tools are not installed\nhint: run `npm install` in web/")
    node = shutil.which("node") or "node"
    args = [node, str(tool), "--no-additionalProperties", "--unreachableDefinitions"]
    done = subprocess.run(args, input=json.dumps(schema()), capture_output=True, text=True, check=True)
    text = re.sub(r"export interface Schema \{.*?\n\}\n", "", done.stdout, count=1, flags=re.DOTALL)
    text = re.sub(r"(?: \*\n)? \* This interface was referenced by .*?\n \* via the .*?\n", "", text)
    text = re.sub(r"/\*\*\n \* This file was automatically.*?\*/\n|/\*\*\n \*/\n", "", text, flags=re.DOTALL)
    head = (
        "/** Messages between server and client. "
        "Made by scripts/write_messages.py from server/messages.py: change them there. */\n"
    )
    return head + re.sub(r"^/\*.*?\*/\n", "", text, count=1, flags=re.DOTALL).lstrip()


if __name__ == "__main__":
    TARGET.write_text(typescript(), encoding="utf-8")
    print(f"wrote {TARGET.relative_to(WEB.parent)}")
