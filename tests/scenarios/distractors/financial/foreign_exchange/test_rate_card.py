"""Tests of foreign_exchange/_rate_card: expected values worked out by hand, or anew in another way."""

from teller_gym.scenarios.distractors.financial.foreign_exchange._rate_card import rate_card
from tests.scenarios.distractors.financial.foreign_exchange.values import CURRENCIES


def test_the_rate_card_is_sound() -> None:
    assert len(CURRENCIES) == len({c.numeric for c in CURRENCIES.values()}) == len(rate_card().currencies) == 22
    assert CURRENCIES["USD"].per_usd == 1
    for currency in CURRENCIES.values():
        assert list(currency.notes) == sorted(set(currency.notes)), currency.code
        assert currency.per_usd > 0 and len(currency.numeric) == 3
        assert all(note % currency.smallest_coin == 0 for note in currency.notes), currency.code
        assert currency.smallest_coin * 10**currency.decimals % 1 == 0, currency.code
