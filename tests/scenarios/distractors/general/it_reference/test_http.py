"""Tests of it_reference/http: expected values worked out by hand, or anew in another way."""

import pytest

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def test_status_codes() -> None:
    assert call("explain_http_status", status_code=404) == {
        "name": "Not Found",
        "status_class": "client_error",
        "may_have_content": True,
        "cacheable": True,
        "repeat": "pointless",
        "redirect_method": None,
    }
    assert call("explain_http_status", status_code=404, request_method="HEAD")["may_have_content"] is False
    assert call("explain_http_status", status_code=204)["may_have_content"] is False
    assert call("explain_http_status", status_code=504)["repeat"] == "later"
    assert call("explain_http_status", status_code=504, request_method="POST")["repeat"] == "only_if_harmless"
    assert call("explain_http_status", status_code=429, request_method="POST")["repeat"] == "later"
    methods = {302: "GET", 303: "GET", 307: "POST", 308: "POST"}
    for code, method in methods.items():
        assert call("explain_http_status", status_code=code, request_method="POST")["redirect_method"] == method
    assert call("explain_http_status", status_code=303, request_method="HEAD")["redirect_method"] == "HEAD"
    with pytest.raises(ToolError, match="nearest one is 417"):
        call("explain_http_status", status_code=418)
