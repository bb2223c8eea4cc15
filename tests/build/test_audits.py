"""A good task passes all cheap audits."""

from __future__ import annotations

from sandmle.build.auditing import Examined, audit, audit_modules
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import grader


def test_a_good_task_passes_all(prepared: Prepared) -> None:
    checks = audit(Examined(prepared, grader(prepared)))
    cheap = [name for name, module in audit_modules().items() if module.COST == "cheap"]
    assert [check.name for check in checks] == cheap
    assert [check for check in checks if not check.passed] == []
