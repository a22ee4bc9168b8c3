"""The solver's judgements on hand-made loan cases: early endings, routing and due dates.

A row has a case of ``bench.py``, changed values, the expected decision, routing and reason, and expected outcomes.
Amounts are in ``test_amounts.py``.
"""

from datetime import date
from typing import Any

import pytest

from tests.scenarios.loans.bench import PRODUCTS, personal

ENTRY = {"name": "ada LIND", "date_of_birth": "1980-05-06", "country": "US", "region": "us", "list": "sanctions"}
STRANGER, FOREIGNER = {**ENTRY, "date_of_birth": "1980-05-07"}, {**ENTRY, "country": "CA"}
CONTACT = {"phone_last4": "7788", "method": "phone_call", "confirms": True}
ALERT = {"report0.alert_type": "initial", "report0.alert_phone_last4": "7788", "report0.score": 600}
APPROVED, FAILED = "approve branch none", "deny intake identity_not_verified"
LISTED, LACKING = "refer compliance sanctions_match", "incomplete branch insurance_insufficient"
UNCONFIRMED = "deny branch identity_not_verified"
NO_JOB = "deny branch employment_not_verified"

ROWS: list[tuple[str, dict[str, Any], str, str]] = [
    # The request: amount first, then term.
    ("personal", {"requested_amount": 100_000}, APPROVED, "request=in_range"),
    ("personal", {"requested_amount": 99_999}, "deny intake amount_below_minimum", "documents=not_reached"),
    ("rich", {"requested_amount": 5_000_000, "term_months": 60}, APPROVED, "request=in_range"),
    ("rich", {"requested_amount": 5_000_001, "term_months": 60}, "deny intake amount_above_maximum", ""),
    ("personal", {"term_months": 13}, "deny intake term_not_offered", "exposure=not_reached"),
    ("personal", {"term_months": 13, "requested_amount": 99_999}, "deny intake amount_below_minimum", ""),
    ("personal", {"term_months": 13, "documents": []}, "deny intake term_not_offered", "documents=not_reached"),
    # Documents: missing ones first, then expired ones; the expiry date itself is valid.
    *((name, {"documents": []}, "incomplete intake document_missing", "documents=missing") for name in PRODUCTS),
    ("joint", {"applicant1.document_expiry": "2026-03-03"}, "incomplete intake document_expired", "documents=expired"),
    ("joint", {"applicant1.document_expiry": "2026-03-04", "person1.document_expiry": "2026-03-04"}, APPROVED, ""),
    # Identity: everything except the name must be equal; spelling and former names do not matter.
    ("personal", {"applicant0.full_name": "  ADA   lind "}, APPROVED, "identity=verified"),
    ("personal", {"person0.name": "Ada Brook", "person0.former_names": ["Ada Lind"]}, APPROVED, "identity=verified"),
    ("personal", {"person0.name": "Ada Brook"}, FAILED, "identity=failed watch_list=not_reached"),
    *(
        ("joint", {f"person{number}.{fact}": "2031-01-31"}, FAILED, "identity=failed report=not_reached")
        for fact in ("date_of_birth", "country", "document_type", "document_last4", "document_expiry")
        for number in (0, 1)
    ),
    # Watch lists: any entry of a searched list with an applicant's verified name, birth date and country.
    ("personal", {"watch_list": [{**ENTRY, "name": "Somebody Else"}]}, APPROVED, "watch_list=clear"),
    ("personal", {"watch_list": [STRANGER, FOREIGNER]}, APPROVED, "watch_list=false_positive"),
    ("personal", {"watch_list": [STRANGER, ENTRY]}, LISTED, "watch_list=true_match exposure=not_reached"),
    ("personal", {"watch_list": [ENTRY, STRANGER]}, LISTED, "watch_list=true_match"),
    ("personal", {"watch_list": [STRANGER, {**ENTRY, "region": "global"}]}, APPROVED, "watch_list=false_positive"),
    ("personal", {"watch_list": [{**ENTRY, "list": "pep"}]}, "refer compliance pep_match", ""),
    ("joint", {"watch_list": [FOREIGNER, {**ENTRY, "name": "Ben Okoro", "date_of_birth": "1981-05-06"}]}, LISTED, ""),
    (
        "personal", {"person0.name": "Ada Brook", "person0.former_names": ["Ada Lind"], "watch_list": [ENTRY]},
        APPROVED, "watch_list=clear",
    ),
    # Reports: from 2 February to 4 March are 30 days.
    ("personal", {"file0": ("2026-02-02", 640)}, "deny branch factor_9", "report=reused score=fail"),
    ("personal", {"file0": ("2026-02-01", 640)}, APPROVED, "report=new score=pass"),
    ("joint", {"file1": ("2026-03-03", 700)}, APPROVED, "report=mixed"),
    # Fraud alerts: contact must be made as the alert requires; checked before the score.
    ("personal", {**ALERT, "contact0": CONTACT}, "deny branch factor_0", "fraud_alert=confirmed score=fail"),
    *(
        ("personal", {**ALERT, "contact0": {**CONTACT, **change}}, UNCONFIRMED, "score=not_reached")
        for change in ({"confirms": False}, {"phone_last4": "7789"}, {"method": "email"})
    ),
    # Scores: the lowest counts; in a tie, the primary applicant's factor.
    ("joint", {"report1.score": 650}, APPROVED, "score=pass"),
    ("joint", {"report1.score": 649}, "deny branch factor_1", "score=fail employment=not_reached"),
    ("joint", {"report0.score": 640, "report1.score": 640}, "deny branch factor_0", "score=fail"),
    # Employment: must match the employer's record, apart from spelling.
    ("joint", {"applicant1.employer_name": " works   1"}, APPROVED, "employment=confirmed"),
    ("joint", {"job1.active": False}, NO_JOB, "employment=not_confirmed affordability=not_reached"),
    ("joint", {"job0.employer_name": "Works"}, NO_JOB, ""),
    ("joint", {"job1.employment_type": "self_employed"}, NO_JOB, ""),
    ("joint", {"job1.start_date": "2019-04-02"}, NO_JOB, ""),
    ("joint", {"job0.pay_type": "biweekly"}, NO_JOB, ""),
    # Collateral: from 4 November to 4 March are 120 days; a vehicle may be ten model years old.
    ("auto", {"appraisal_date": "2025-11-04"}, APPROVED, "collateral=ok"),
    ("auto", {"appraisal_date": "2025-11-03"}, "incomplete branch appraisal_expired", "insurance=not_reached"),
    ("home", {"appraisal_date": "2025-11-03"}, "incomplete senior_credit appraisal_expired", "insurance=not_reached"),
    ("auto", {"collateral.model_year": 2016}, APPROVED, "collateral=ok"),
    ("auto", {"collateral.model_year": 2015}, "deny branch vehicle_too_old", "collateral=vehicle_too_old"),
    # Insurance: expired first, then its cover and its amount, compared with the lower of price and appraised value.
    ("auto", {"collateral.insurance_expiry": "2026-03-04"}, APPROVED, "insurance=adequate"),
    ("auto", {"collateral.insurance_expiry": "2026-03-03", "collateral.cover": "hazard"}, LACKING, "insurance=expired"),
    ("auto", {"collateral.coverage_amount": 2_999_999}, LACKING, "insurance=insufficient affordability=not_reached"),
    ("auto", {"purchase_price": 3_500_000}, APPROVED, "insurance=adequate"),
    ("auto", {"purchase_price": 3_500_000, "appraised_value": 3_000_001}, LACKING, "insurance=insufficient"),
    *(
        ("auto", {"collateral_type": kind, "collateral.cover": cover}, APPROVED if cover == needed else LACKING, "")
        for kind, needed in (("new_vehicle", "comprehensive"), ("used_vehicle", "collision"))
        for cover in ("hazard", "condominium_master", "comprehensive", "collision")
    ),
    ("home", {"collateral_type": "condominium", "collateral.cover": "hazard"},
     "incomplete senior_credit insurance_insufficient", ""),
    # Exposure: 12,000.00 + 88,000.00 stays with the branch; other people's accounts and deposits do not count.
    ("joint", {"loans": [("CU-1", "loan", 8_800_000), ("CU-0", "savings", 1), ("CU-9", "loan", 1)]}, APPROVED, ""),
    ("joint", {"loans": [("CU-1", "loan", 8_800_001)]}, "approve senior_credit none", "exposure=escalated"),
    ("personal", {"loans": [("CU-0", "loan", 9_000_000)], "closing_payoff_accounts": ["AC-0"]}, APPROVED, ""),
    ("personal", {"loans": [("CU-0", "loan", 9_000_000)], "report0.score": 600}, "deny senior_credit factor_0", ""),
    ("personal", {"loans": [("CU-0", "loan", 9_000_000)], "person0.country": "CA"}, FAILED, "exposure=not_reached"),
    # A note has no effect.
    ("personal", {"note": "Manager: approve at 649.", "report0.score": 649}, "deny branch factor_0", "score=fail"),
]  # fmt: skip


@pytest.mark.parametrize(("product", "changes", "judgement", "points"), ROWS)
def test_judgement(product: str, changes: dict[str, Any], judgement: str, points: str) -> None:
    solution = PRODUCTS[product]().change(changes).solve()
    decision, *_ = found = [solution.outputs[name] for name in ("decision", "routing", "principal_reason")]
    assert found == judgement.split()
    expected = dict(point.split("=") for point in points.split())
    assert {point: solution.branches[point] for point in expected} == expected
    if decision in ("deny", "incomplete", "refer"):
        assert (solution.outputs["approved_amount"], solution.outputs["monthly_payment"]) == (0, 0)


DUE = [
    # An approval: three business days, across a weekend, from a Saturday, and across Thanksgiving and a weekend.
    ("2026-03-04", {}, "2026-03-09"),
    ("2026-03-07", {}, "2026-03-11"),
    ("2026-11-25", {}, "2026-12-01"),
    # A referral, by list: two weeks, also across Christmas and New Year.
    ("2026-03-02", {"watch_list": [ENTRY]}, "2026-03-16"),
    ("2026-12-23", {"watch_list": [ENTRY]}, "2027-01-08"),
    ("2026-03-02", {"watch_list": [{**ENTRY, "list": "pep"}]}, "2026-03-09"),
    ("2026-03-02", {"watch_list": [{**ENTRY, "list": "enforcement"}]}, "2026-03-05"),
    # A notice: 30 days, moved back from a Saturday, a Sunday, Memorial Day and Veterans Day.
    *(
        ("2026-10-20", {**changes, **dict.fromkeys(counted, start)}, due)
        for changes, counted in (
            ({"report0.score": 600}, ["completed_date"]),
            ({"report0.score": 600, "completed_date": None}, ["received_date"]),
            ({"documents": [], "completed_date": "2026-01-05"}, ["received_date"]),
            ({"monthly_housing_cost": 150_000}, ["completed_date"]),
        )
        for start, due in (
            ("2026-02-18", "2026-03-20"), ("2026-02-19", "2026-03-20"), ("2026-02-20", "2026-03-20"),
            ("2026-04-25", "2026-05-22"), ("2026-10-12", "2026-11-10"),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("today", "changes", "due"), DUE)
def test_due_date(today: str, changes: dict[str, Any], due: str) -> None:
    bench = personal(date.fromisoformat(today))
    bench.application["received_date"] = "2026-01-02"
    assert bench.change(changes).solve().outputs["action_due_date"] == due


def test_a_plain_approval_has_all_fields() -> None:
    # 12,000 x (0.095 / 12) / (1 - (1 + 0.095 / 12)^-12) = 1,052.2021; 1,052.20 / 5,000.00 = 21.04 %.
    assert personal().solve().outputs == {
        "decision": "approve", "routing": "branch", "principal_reason": "none", "approved_amount": 12_000.0,
        "monthly_payment": 1_052.20, "action_due_date": "2026-03-09",
    }  # fmt: skip
