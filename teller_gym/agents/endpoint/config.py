"""Options for a model behind an endpoint.

Some of them change its answers and are therefore part of a run's identity.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from teller_gym.agents.base import Prices
from teller_gym.agents.endpoint.key import VARIABLE_NAME
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean, is_unicode
from teller_gym.base.withheld import NOT_KEPT, check

_Positive = Annotated[float, Meta(gt=0)]
_Price = Annotated[float, Meta(ge=0)]
_Count = Annotated[int, Meta(ge=1)]

_OWN_FIELDS = ("model", "messages", "tools", "seed", "stream", "n", "temperature", "top_p", "max_tokens",
               "max_completion_tokens")  # fmt: skip
_NEVER_SHOWN = ("key_variable", "base_url", "extra_body")
"""Options that may contain a key by mistake, so that error messages do not show their values."""

_NOT_IDENTITY = ("base_url", "key_variable", "name", "most_tools", "max_tokens_field", "not_taken", "thinking_field",
                 "strict_usage", "timeout_s", "max_response_mb", "retries", "requests_per_minute", "tokens_per_minute",
                 "price_prompt", "price_completion", "price_cached")  # fmt: skip

EITHER = "temperature+top_p"
"""Entry in `not_taken` for servers that accept either of the two options, but not both."""


class EndpointConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings for reaching and querying a model.

    Use `read` to create them, which checks more than the types.
    """

    model: Annotated[str, Meta(min_length=1)]
    """Model name on the server."""
    base_url: str = "http://localhost:8000/v1"
    """URL to which `/chat/completions` is appended."""
    key_variable: str | None = None
    """Name of the environment variable with the API key; None if the server needs none."""
    name: str | None = None
    """Name in tables and run folders; None derives it from the model, the protocol and `thinking`."""
    protocol: Literal["native", "react"] = "native"
    """Protocol for tools: part of the request, with calls parsed by the server (`native`), or text in the chat
    (`react`)."""
    tool_text: Literal["full", "compact"] = "full"
    """Format of the tools with `react`: JSON schemas (`full`) or one signature line each (`compact`). Not for `native`.
    """
    schemas: Literal["full", "plain"] = "full"
    """Format of the tool schemas with `native`: unchanged (`full`), or only types, descriptions and string enums, with
    everything else moved into the descriptions (`plain`)."""
    most_tools: _Count | None = None
    """Maximum number of tools that the server accepts; requests with more are not sent. None means no limit."""
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    """Sampling temperature. None, here and for `top_p` and `max_new_tokens`, uses the server's default."""
    top_p: Annotated[float, Meta(gt=0, le=1)] | None = None
    max_new_tokens: _Count | None = 8192
    """Maximum tokens per answer, including thinking."""
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The server's name for `max_new_tokens`."""
    send_seed: bool = False
    """Sends a seed with each request, derived from the episode's seed and the turn number."""
    not_taken: tuple[Literal["temperature", "top_p", "seed", "temperature+top_p"], ...] = ()
    """Options that the server rejects; they are not sent even if set. With `temperature+top_p`, only one of the two may
    be set."""
    thinking: bool | None = None
    """Switches the model's thinking on or off; None sends nothing. Checkpoints and training use the same name."""
    thinking_field: Literal["template", "enable_thinking", "type", "fixed"] = "template"
    """Request field for `thinking`: `chat_template_kwargs: {enable_thinking: …}`, `enable_thinking: …`,
    `thinking: {type: enabled}`, or none."""
    return_thinking: bool | None = None
    """Thinking to send back with the chat. True sends the fields `reasoning_content`, `reasoning` and
    `reasoning_details` as received. False sends no thinking, not even in parts of the content. None sends the content
    as received, without those fields."""
    extra_body: dict[str, Any] | None = None
    """Additional request fields, such as `reasoning_effort`."""
    context: _Count | None = None
    """Maximum tokens of prompt and answer together; None if unknown until the server rejects a chat as too long."""
    context_end: Literal["stop", "drop"] = "stop"
    """Response to a full context: end the episode, or drop the oldest turns with their results."""
    strict_usage: bool = False
    """Marks an episode as invalid if the server counts far fewer prompt tokens than were sent."""
    timeout_s: _Positive = 600.0
    """Seconds for one request, from sending it to the last byte of the response."""
    max_response_mb: _Count = 16
    """Maximum size of one response in megabytes, decompressed; a longer one is an infrastructure failure. An answer of
    128,000 tokens has about one megabyte."""
    retries: Annotated[int, Meta(ge=0)] = 6
    """Maximum number of further attempts after a temporary failure."""
    requests_per_minute: _Positive | None = None
    tokens_per_minute: _Positive | None = None
    price_prompt: _Price | None = None
    """US dollars per million prompt tokens; set it and `price_completion`, or neither."""
    price_completion: _Price | None = None
    price_cached: _Price | None = None
    """US dollars per million prompt tokens that the server read from its cache; None if the price is the same."""

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> EndpointConfig:
        """Return the configuration with these options.

        Raises:
            OptionError: an option is unknown or has an invalid value.
        """
        fields = cls.__struct_fields__
        for option in options:
            if option not in fields:
                hint = did_you_mean(str(option), fields)
                raise OptionError(f"agent.{option} is no option of an endpoint; there are {', '.join(fields)}{hint}")
        if options.get("model") is None:
            raise OptionError("agent.model is missing: the name of the model, such as agent.model=Qwen/Qwen3-8B")
        try:
            config = msgspec.convert(dict(options), cls)
        except msgspec.ValidationError as error:
            raise OptionError(_explain(str(error), options)) from None
        for option, value in options.items():
            if not _is_text(value):
                raise OptionError(
                    f"agent.{option}: expected Unicode text, got a lone surrogate in it; write it in UTF-8"
                )
        config._check()
        return config

    def _check(self) -> None:
        if self.key_variable is not None and not re.fullmatch(VARIABLE_NAME, self.key_variable):
            raise OptionError(
                "agent.key_variable: expected the name of an environment variable in capitals, such as "
                "OPENAI_API_KEY; what came is not shown, because it may be the key itself"
            )
        if self.tool_text != "full" and self.protocol != "react":
            raise OptionError(
                f"agent.tool_text: {self.tool_text} is of agent.protocol=react; with the native protocol the tools go "
                "into the request as JSON schemas, so add agent.protocol=react or leave agent.tool_text out"
            )
        url = urlsplit(self.base_url)
        if url.scheme not in ("http", "https") or not url.hostname or url.query or "@" in url.netloc:
            raise OptionError(
                "agent.base_url: expected an address such as http://localhost:8000/v1, without user, password or "
                "query; a key goes into an environment variable, which agent.key_variable names"
            )
        for field in self.extra_body or ():
            if field in _OWN_FIELDS:
                raise OptionError(f"agent.extra_body: {field} has an option of its own or is fixed; leave it out")
        if not isinstance((self.extra_body or {}).get("chat_template_kwargs", {}), dict):
            raise OptionError("agent.extra_body: expected chat_template_kwargs to be a mapping")
        if (self.price_prompt is None) != (self.price_completion is None):
            raise OptionError("agent.price_prompt and agent.price_completion: expected both or none of them")
        if self.price_cached is not None and self.price_prompt is None:
            raise OptionError("agent.price_cached: expected agent.price_prompt and agent.price_completion beside it")
        if EITHER in self.not_taken and self.temperature is not None and self.top_p is not None:
            raise OptionError(
                "agent.temperature and agent.top_p: the endpoint takes one of them (agent.not_taken); got both, so "
                "leave one out or set it to null"
            )
        if self.thinking is not None and self.thinking_field == "fixed":
            raise OptionError(
                f"agent.thinking: expected null, got {str(self.thinking).lower()}; the thinking of this model has no "
                "switch: set what the vendor calls it in agent.extra_body, such as {reasoning_effort: low}"
            )
        if self.context is not None and self.context <= (self.max_new_tokens or 0):
            raise OptionError(
                f"agent.context: {self.context} tokens leave nothing for the prompt beside agent.max_new_tokens="
                f"{self.max_new_tokens}; make that smaller"
            )

    @property
    def shown_name(self) -> str:
        """Name of the agent.

        It is `name`, or the last part of the model's name with a non-default protocol or thinking.
        """
        if self.name:
            return self.name
        parts = [self.model.rstrip("/").rpartition("/")[2]]
        if self.protocol == "react":
            parts.append("react")
        if self.thinking is not None:
            parts.append("thinking" if self.thinking else "no-thinking")
        return "-".join(parts)

    @property
    def prices(self) -> Prices | None:
        """Token prices, or None if they are not set."""
        if self.price_prompt is None or self.price_completion is None:
            return None
        return Prices(self.price_prompt, self.price_completion, self.price_cached)

    @property
    def unsent(self) -> dict[str, Any]:
        """Options that are set but not sent because the server rejects them, with their values."""
        given = {"temperature": self.temperature, "top_p": self.top_p, "seed": self.send_seed or None}
        return {name: value for name, value in given.items() if name in self.not_taken and value is not None}

    def identity(self, shown: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return all options that change the answers, as JSON values.

        Keys, addresses, limits and prices do not change them. Values of `extra_body` that may be secrets, and values
        read from environment variables, are replaced by a short checksum under `check`, which shows if they have
        changed. In `shown`, the names of environment variables replace the values read from them.
        """
        values: dict[str, Any] = msgspec.to_builtins(self)
        values |= {"send_seed" if name == "seed" else name: False if name == "seed" else None for name in self.unsent}
        mine = {name: value for name, value in values.items() if name not in _NOT_IDENTITY}
        others = mine | {name: value for name, value in (shown or {}).items() if name in mine}
        told = others | {"extra_body": shown_body(self.extra_body, others["extra_body"])}
        hidden = {name: value for name, value in mine.items() if told[name] != value}
        return told | ({"check": check(hidden)} if hidden else {})

    def request(self) -> dict[str, Any]:
        """Return the part of each request that does not depend on the chat."""
        fields: dict[str, Any] = {"model": self.model}
        for name, value in (
            ("temperature", self.temperature),
            ("top_p", self.top_p),
            (self.max_tokens_field, self.max_new_tokens),
        ):
            if value is not None and name not in self.not_taken:
                fields[name] = value
        fields |= self.extra_body or {}
        if self.thinking is not None and self.thinking_field == "template":
            template = fields.get("chat_template_kwargs", {})
            fields["chat_template_kwargs"] = template | {"enable_thinking": self.thinking}
        elif self.thinking is not None and self.thinking_field == "enable_thinking":
            fields["enable_thinking"] = self.thinking
        elif self.thinking is not None:
            fields["thinking"] = {"type": "enabled" if self.thinking else "disabled"}
        return fields


def _is_text(value: Any) -> bool:
    """Return True if all strings in a value are valid Unicode."""
    if isinstance(value, str):
        return is_unicode(value)
    if isinstance(value, Mapping):
        return all(_is_text(item) for pair in value.items() for item in pair)
    return all(map(_is_text, value)) if isinstance(value, list | tuple) else True


def _explain(error: str, options: Mapping[str, Any]) -> str:
    """Convert msgspec's error message to one that names the option and the allowed values."""
    reason, _, path = error.partition(" - at `$.")
    name = re.split(r"[.\[`]", path)[0]
    value = options.get(name)
    got = "" if name in _NEVER_SHOWN else f", got {value!r}"
    hint = typing.get_type_hints(EndpointConfig).get(name)
    if typing.get_origin(hint) is Literal:
        allowed = typing.get_args(hint)
        return f"agent.{name}: expected one of {', '.join(allowed)}{got}{did_you_mean(str(value), allowed)}"
    return f"agent.{name}: {reason.partition(', got')[0].lower().replace('`', '')}{got}"


_NUMBERS = ("top_k", "min_p", "top_a", "frequency_penalty", "presence_penalty", "repetition_penalty", "length_penalty",
            "min_tokens", "thinking_budget", "budget_tokens", "top_logprobs")  # fmt: skip
"""Numeric fields in `extra_body` that are known settings and therefore not secret."""

_WORDS = {
    "reasoning_effort": ("none", "minimal", "low", "medium", "high", "xhigh"),
    "effort": ("none", "minimal", "low", "medium", "high", "xhigh"),
    "verbosity": ("low", "medium", "high"),
}
"""Fields in `extra_body` with known values, which are not secret either."""


def shown_body(value: Any, shown: Any, name: str = "") -> Any:
    """Return a field's value in `extra_body` for recording, with placeholders for possible secrets.

    `shown` is the same value with the names of environment variables in place of the values read from them.
    """
    if isinstance(value, dict):
        others = shown if isinstance(shown, dict) else {}
        return {str(key): shown_body(one, others.get(key, one), str(key)) for key, one in value.items()}
    if isinstance(value, list):
        same = isinstance(shown, list) and len(shown) == len(value)
        return [shown_body(one, other) for one, other in zip(value, shown if same else value, strict=True)]
    if value != shown:
        return shown
    public = value is None or isinstance(value, bool) or value in _WORDS.get(name, ())
    public = public or (name in _NUMBERS and isinstance(value, int | float))
    return value if public else NOT_KEPT
