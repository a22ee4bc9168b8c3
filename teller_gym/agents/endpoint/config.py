"""Options of a model behind an endpoint, and which of them change its answers."""

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
"""Options into which a key may have been written by mistake: their values are left out of error messages."""

_NOT_IDENTITY = ("base_url", "key_variable", "name", "most_tools", "max_tokens_field", "not_taken", "thinking_field",
                 "strict_usage", "timeout_s", "max_response_mb", "retries", "requests_per_minute", "tokens_per_minute",
                 "price_prompt", "price_completion", "price_cached")  # fmt: skip

EITHER = "temperature+top_p"
"""Entry of `not_taken`: the server accepts either of the two, but not both."""


class EndpointConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of how a model is reached and asked. Make one with `read`, which checks more than the types."""

    model: Annotated[str, Meta(min_length=1)]
    """Name of the model as the server knows it."""
    base_url: str = "http://localhost:8000/v1"
    """URL to which `/chat/completions` is appended."""
    key_variable: str | None = None
    """Environment variable that holds the key; None if the server wants none."""
    name: str | None = None
    """In tables and run folders; None: made of the model, the protocol and `thinking`."""
    protocol: Literal["native", "react"] = "native"
    """`native`: tools go into the request, calls come back parsed. `react`: everything is text."""
    tool_text: Literal["full", "compact"] = "full"
    """Format in which `react` shows the tools: JSON schemas, or one signature line each. Not for `native`."""
    schemas: Literal["full", "plain"] = "full"
    """Form in which `native` sends the tools' schemas: `full`, as they are; `plain`, with only types, descriptions and
    enums of texts, and everything else in words."""
    most_tools: _Count | None = None
    """Most tools that the server accepts in a request; more are refused before one is sent. None: any number."""
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    """None, here and for `top_p` and `max_new_tokens`: the server's default."""
    top_p: Annotated[float, Meta(gt=0, le=1)] | None = None
    max_new_tokens: _Count | None = 8192
    """Of one answer, thinking included."""
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The server's name for `max_new_tokens`."""
    send_seed: bool = False
    """True to send a seed with each request, derived from the episode's and the number of the turn."""
    not_taken: tuple[Literal["temperature", "top_p", "seed", "temperature+top_p"], ...] = ()
    """Options that the server refuses: not sent, even if set. `temperature+top_p`: only one of the two may be set."""
    thinking: bool | None = None
    """Switches the model's thinking on or off; None: not sent. Checkpoints and training use the same name."""
    thinking_field: Literal["template", "enable_thinking", "type", "fixed"] = "template"
    """Request field that carries `thinking`: `chat_template_kwargs: {enable_thinking: …}`, `enable_thinking: …`,
    `thinking: {type: enabled}`, or none."""
    return_thinking: bool | None = None
    """Sends thinking that the server returned beside the text back with the chat, in the fields it came in. True:
    `reasoning_content`, `reasoning` and `reasoning_details` are sent back; False: they are not, nor are parts of the
    content that are thinking; None: the content is sent back as it came, and nothing else."""
    extra_body: dict[str, Any] | None = None
    """Further fields of the request, such as `reasoning_effort`."""
    context: _Count | None = None
    """Tokens that prompt and answer may have together; None: found out from the server's refusal."""
    context_end: Literal["stop", "drop"] = "stop"
    """Response to a full context: end the episode, or drop the oldest turns with their results."""
    strict_usage: bool = False
    """Makes an episode invalid if the server counts far fewer prompt tokens than were sent."""
    timeout_s: _Positive = 600.0
    """For one request, from sending it to the last byte of the answer."""
    max_response_mb: _Count = 16
    """Megabytes of one response, unpacked; a longer one is an infrastructure failure. An answer of 128,000 tokens has
    about one."""
    retries: Annotated[int, Meta(ge=0)] = 6
    """Further tries after a failure that may pass."""
    requests_per_minute: _Positive | None = None
    tokens_per_minute: _Positive | None = None
    price_prompt: _Price | None = None
    """US dollars for a million tokens; both prices or none."""
    price_completion: _Price | None = None
    price_cached: _Price | None = None
    """Price of prompt tokens that the server read from its cache; None: the same as other prompt tokens."""

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> EndpointConfig:
        """Check options."""
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
        """The agent's name: `name`, or the model's last part with what changes how it plays."""
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
        """The prices of tokens, where known."""
        if self.price_prompt is None or self.price_completion is None:
            return None
        return Prices(self.price_prompt, self.price_completion, self.price_cached)

    @property
    def unsent(self) -> dict[str, Any]:
        """Options that are set but not sent because the server does not accept them, with their values."""
        given = {"temperature": self.temperature, "top_p": self.top_p, "seed": self.send_seed or None}
        return {name: value for name, value in given.items() if name in self.not_taken and value is not None}

    def identity(self, shown: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return all options that change the answers, as JSON values: nothing of keys, addresses, limits and money.

        Values of `extra_body` that may be secrets, and values read from environment variables, are left out; `check`
        reveals whether they are the same.

        Args:
            shown: options with the names of variables in place of values read from them.
        """
        values: dict[str, Any] = msgspec.to_builtins(self)
        values |= {"send_seed" if name == "seed" else name: False if name == "seed" else None for name in self.unsent}
        mine = {name: value for name, value in values.items() if name not in _NOT_IDENTITY}
        others = mine | {name: value for name, value in (shown or {}).items() if name in mine}
        told = others | {"extra_body": shown_body(self.extra_body, others["extra_body"])}
        hidden = {name: value for name, value in mine.items() if told[name] != value}
        return told | ({"check": check(hidden)} if hidden else {})

    def request(self) -> dict[str, Any]:
        """Return the part of every request that does not depend on the chat."""
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
    """Return True if all texts within a value can be sent and written."""
    if isinstance(value, str):
        return is_unicode(value)
    if isinstance(value, Mapping):
        return all(_is_text(item) for pair in value.items() for item in pair)
    return all(map(_is_text, value)) if isinstance(value, list | tuple) else True


def _explain(error: str, options: Mapping[str, Any]) -> str:
    """Turn the converter's complaint into one that names the option and the values allowed."""
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
"""Fields of sampling whose numbers are settings."""

_WORDS = {
    "reasoning_effort": ("none", "minimal", "low", "medium", "high", "xhigh"),
    "effort": ("none", "minimal", "low", "medium", "high", "xhigh"),
    "verbosity": ("low", "medium", "high"),
}
"""Fields with few values, which are settings, too."""


def shown_body(value: Any, shown: Any, name: str = "") -> Any:
    """Return a value of `extra_body` as it is written down.

    Args:
        shown: the same with the names of variables in place of what was read from them.
        name: of the field.
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
