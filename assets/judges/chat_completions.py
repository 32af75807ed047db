#!/usr/bin/env python3
"""A judge for InfraLens that asks a language model over the chat-completions protocol.

It speaks to any server that has that protocol: Ollama, llama.cpp, vLLM, a hosted service. Python's standard
library is all it needs.

    infralens judge set python3 chat_completions.py --url http://localhost:11434/v1 --model llama3.1

The key, where the server wants one, is read from the environment variable INFRALENS_JUDGE_KEY (or the one
that --key-from names). It is never written anywhere.
"""

import argparse
import json
import os
import sys
import urllib.error
import urllib.request

PROTOCOL = 1

SHAPE = """Reply with one JSON object and nothing else:
{"parts": [{"id": "<part id>", "verdict": "covered" | "partial" | "missing",
            "quotes": ["<words of the answer, letter by letter>"], "advice": "<one sentence>"}],
 "false": [{"quote": "<words of the answer>", "why": "<what is right>"}]}"""


def fail(message):
    """Ends with a sentence that InfraLens shows to the person."""
    print(message, file=sys.stderr)
    sys.exit(1)


def messages(question):
    """The rules go to the system; the answer stands apart, as data."""
    rules = question["instructions"] + "\n\n" + SHAPE
    task = {"prompt": question["prompt"], "parts": question["parts"], "answer": question["answer"]}
    return [
        {"role": "system", "content": rules},
        {"role": "user", "content": json.dumps(task, ensure_ascii=False)},
    ]


def complete(options, question):
    """One request; the text of the model's reply."""
    body = {
        "model": options.model,
        "messages": messages(question),
        "temperature": 0,
        "response_format": {"type": "json_object"},
    }
    request = urllib.request.Request(
        options.url.rstrip("/") + "/chat/completions",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    key = os.environ.get(options.key_from)
    if key:
        request.add_header("Authorization", "Bearer " + key)
    try:
        with urllib.request.urlopen(request, timeout=options.timeout) as response:
            reply = json.load(response)
    except urllib.error.HTTPError as error:
        detail = error.read(300).decode(errors="replace").strip()
        fail(f"the server answered {error.code}: {detail}; check --model and the key in {options.key_from}")
    except (urllib.error.URLError, TimeoutError) as error:
        reason = getattr(error, "reason", error)
        fail(f"no answer from {options.url} ({reason}); is the server running, and is --url right?")
    except ValueError:
        fail(f"{options.url} did not answer with JSON; is it a chat-completions server?")
    try:
        return reply["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        fail(f"{options.url} answered without a message; is it a chat-completions server?")


def marks(text):
    """The JSON object in a model's reply, which may stand in a fence or behind some words."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1])
    except ValueError:
        fail("the model did not reply with a JSON object; try another model")
    if not isinstance(found, dict):
        fail("the model did not reply with a JSON object; try another model")
    return found


def as_text(value):
    return value if isinstance(value, str) else ""


def clean(found, question):
    """Only what the protocol knows, in its types. Whether the quotes stand is not decided here."""
    asked = {part["id"] for part in question["parts"]}
    parts = []
    for part in found.get("parts") or []:
        verdict = as_text(part.get("verdict")).lower() if isinstance(part, dict) else ""
        if verdict in ("covered", "partial", "missing") and part.get("id") in asked:
            quotes = [q for q in part.get("quotes") or [] if isinstance(q, str)]
            parts.append(
                {"id": part["id"], "verdict": verdict, "quotes": quotes, "advice": as_text(part.get("advice"))}
            )
    false = [
        {"quote": as_text(f.get("quote")), "why": as_text(f.get("why"))}
        for f in found.get("false") or []
        if isinstance(f, dict)
    ]
    return {"parts": parts, "false": false}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", required=True, help="the address of the server, up to /v1")
    parser.add_argument("--model", required=True, help="the model's name there")
    parser.add_argument("--key-from", default="INFRALENS_JUDGE_KEY", help="the environment variable with the key")
    parser.add_argument("--timeout", type=float, default=55, help="seconds to wait for the server")
    options = parser.parse_args()
    question = json.load(sys.stdin)
    reply = {"protocol": PROTOCOL, "judge": options.model, "sends_to": options.url}
    if question["task"] == "judge":
        reply.update(clean(marks(complete(options, question)), question))
    json.dump(reply, sys.stdout, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
