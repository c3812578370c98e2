"""Loopback servers that speak the batch interfaces of OpenAI and Anthropic: files, batches, results, errors."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime
from typing import Any

from tests.fakes.anthropic_server import AnthropicServer
from tests.fakes.behaviours import Answer, Failure, Recorded, Request, Slow
from tests.fakes.openai_server import OpenAIServer


class Batches:
    """What both have in common: batches end `seconds` after they came, unless a behaviour says otherwise.

    Whoever sends one hears its id after `receipt` seconds.
    """

    def __init__(self, seconds: float = 0.3, receipt: float = 0.0) -> None:
        self.seconds, self.receipt, self.files = seconds, receipt, dict[str, bytes]()
        self.batches: list[dict[str, Any]] = []
        self.answered = 0

    def made(self, rows: list[tuple[str, dict[str, Any]]], **about: Any) -> dict[str, Any]:
        if len({name for name, _ in rows}) != len(rows):
            raise ValueError("custom_id must be unique")
        batch = {"id": f"batch_{len(self.batches)}", "rows": rows, "at": time.time(), **about}
        self.batches.append(batch)
        return batch

    def has_ended(self, batch: dict[str, Any]) -> bool:
        return time.time() >= batch["at"] + self.seconds


def request_of(body: dict[str, Any], number: int, path: str) -> Request:
    return Request(number, path, {}, body, 0)


class OpenAIBatchServer(OpenAIServer):
    def __init__(self, script: Any, batches: Batches) -> None:
        super().__init__(self._answer)
        self.script, self.kept = script, batches

    def complaint(self, request: Request) -> Failure | None:
        return None

    def _answer(self, request: Request) -> Any:
        path = request.path.removeprefix("/v1")
        if path == "/files":
            id = f"file_{len(self.kept.files)}"
            self.kept.files[id] = request.body["file"].encode()
            about = {"filename": "x.jsonl", "bytes": 1, "created_at": 1, "purpose": "batch"}
            return Recorded(200, {"id": id, "object": "file", "status": "processed", **about})
        if path.startswith("/files/"):
            return Recorded(200, self._content(path.split("/")[2]))
        if path == "/batches" and request.body:
            rows = [json.loads(row) for row in self.kept.files[request.body["input_file_id"]].splitlines()]
            if any(row["url"] != request.body["endpoint"] or row["method"] != "POST" for row in rows):
                return Failure(400, "url of a row is not the endpoint")
            asked = {key: request.body[key] for key in ("endpoint", "completion_window", "input_file_id")}
            named = [(row["custom_id"], row["body"]) for row in rows]
            made = self.kept.made(named, metadata=request.body["metadata"], **asked)
            return Slow(self.kept.receipt, Recorded(200, self._describe(made)))
        if path == "/batches":
            described = [self._describe(each) for each in reversed(self.kept.batches)]
            return Recorded(200, {"object": "list", "data": described, "has_more": False})
        if path.startswith("/batches/"):
            return Recorded(200, self._describe(self.kept.batches[int(path.split("_")[1])]))
        return Failure(400, "only by batches")

    def _describe(self, batch: dict[str, Any]) -> dict[str, Any]:
        ended = self.kept.has_ended(batch)
        files = {"output_file_id": f"out_{batch['id']}", "error_file_id": f"err_{batch['id']}"}
        about = {key: each for key, each in batch.items() if key not in ("rows", "at")}
        status = "completed" if ended else "in_progress"
        described = {"object": "batch", "created_at": int(batch["at"]), "status": status, **about}
        return {**described, **(files if ended else {})}

    def _content(self, file: str) -> str:
        """Answers out of order; what the script refuses stands in the file of errors."""
        kind, _, id = file.partition("_")
        lines = []
        for name, body in reversed(self.kept.batches[int(id.split("_")[1])]["rows"]):
            request = request_of(body, self.kept.answered, "/v1/chat/completions")
            found = self.script(request)
            if isinstance(found, Answer) != (kind == "out"):
                continue
            response, error = None, None
            if isinstance(found, Answer):
                self.kept.answered += 1
                response = {"status_code": 200, "body": self.encode(found, request)}
            elif found.status == 504:
                error = {"code": "batch_expired", "message": "This request could not be executed in time."}
            else:
                response = {"status_code": found.status, "body": self.encode_failure(found)}
            lines.append({"id": "x", "custom_id": name, "response": response, "error": error})
        return "\n".join(json.dumps(line) for line in lines)


class AnthropicBatchServer(AnthropicServer):
    def __init__(self, script: Any, batches: Batches) -> None:
        super().__init__(self._answer)
        self.script, self.kept = script, batches

    def complaint(self, request: Request) -> Failure | None:
        return None

    def _answer(self, request: Request) -> Any:
        path = request.path.removeprefix("/v1/messages")
        if path == "/batches" and request.body:
            rows = [(row["custom_id"], row["params"]) for row in request.body["requests"]]
            if any(not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name, _ in rows):
                return Failure(400, "custom_id: bad form")
            return Slow(self.kept.receipt, Recorded(200, self._describe(self.kept.made(rows))))
        if path == "/batches":
            described = [self._describe(each) for each in reversed(self.kept.batches)]
            return Recorded(200, {"data": described, "has_more": False, "first_id": None, "last_id": None})
        if path.endswith("/results"):
            return Recorded(200, self._results(path.split("/")[2]))
        if path.startswith("/batches/"):
            return Recorded(200, self._describe(self.kept.batches[int(path.split("_")[1])]))
        return Failure(400, "only by batches")

    def _describe(self, batch: dict[str, Any]) -> dict[str, Any]:
        ended, count = self.kept.has_ended(batch), len(batch["rows"])
        counts = {"processing": 0 if ended else count, "succeeded": count if ended else 0}
        moment = datetime.fromtimestamp(batch["at"], UTC).isoformat()
        return {
            **{"id": batch["id"], "type": "message_batch", "created_at": moment, "expires_at": moment},
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {"errored": 0, "canceled": 0, "expired": 0, **counts},
            "results_url": f"{self.base_url}/v1/messages/batches/{batch['id']}/results" if ended else None,
            **dict.fromkeys(("ended_at", "archived_at", "cancel_initiated_at")),
        }

    def _results(self, id: str) -> str:
        lines = []
        for name, body in reversed(self.kept.batches[int(id.split("_")[1])]["rows"]):
            request = request_of(body, self.kept.answered, "/v1/messages")
            found = self.script(request)
            if isinstance(found, Answer):
                self.kept.answered += 1
                result = {"type": "succeeded", "message": self.encode(found, request)}
            elif found.status == 504:
                result = {"type": "expired"}
            else:
                result = {"type": "errored", "error": self.encode_failure(found)}
            lines.append({"custom_id": name, "result": result})
        return "\n".join(json.dumps(line) for line in lines)
