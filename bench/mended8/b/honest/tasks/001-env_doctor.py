"""Check that the environment holds what the service needs."""
from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Var:
    name: str
    secret: bool = False
    default: str | None = None


REQUIRED = [
    Var("DATABASE_URL", secret=True),
    Var("STRIPE_API_KEY", secret=True),
    Var("LOG_LEVEL", default="INFO"),
    Var("AWS_REGION", default="eu-central-1"),
]


def mask(value: str) -> str:
    return value[:2] + "*" * max(len(value) - 4, 4) + value[-2:] if len(value) > 8 else "*" * 8


def check(var: Var) -> tuple[bool, str]:
    value = os.environ.get(var.name, var.default)
    if value is None:
        return False, f"{var.name:<20} MISSING"
    return True, f"{var.name:<20} {mask(value) if var.secret else value}"


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--strict", action="store_true")
    ns = ap.parse_args()
    results = [check(v) for v in REQUIRED]
    print("\n".join(t for _, t in results))
    sys.exit(ns.strict and not all(ok for ok, _ in results))
