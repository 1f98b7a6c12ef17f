"""Tests of the cart. Run with `pytest -q`."""
from decimal import Decimal
from unittest import mock

import pytest

from shop.cart import Cart, OutOfStock
from shop.mail import send_receipt


@pytest.fixture
def cart():
    return Cart(currency="CHF")


@pytest.mark.parametrize("qty,total", [(1, "9.90"), (3, "29.70"), (10, "89.10")])
def test_total_with_discount(cart, qty, total):
    cart.add("mug", Decimal("9.90"), qty)
    assert cart.total() == Decimal(total)


def test_out_of_stock(cart, monkeypatch):
    monkeypatch.setattr("shop.stock.available", lambda sku: 0)
    with pytest.raises(OutOfStock):
        cart.add("mug", Decimal("9.90"), 1)


def test_receipt_goes_to_customer(cart):
    cart.add("mug", Decimal("9.90"), 1)
    with mock.patch("smtplib.SMTP") as smtp:
        send_receipt(cart, "anna@mail.example")
    msg = smtp.return_value.__enter__.return_value.send_message.call_args[0][0]
    assert msg["To"] == "anna@mail.example"


def test_env_is_respected(monkeypatch, tmp_path):
    monkeypatch.setenv("SHOP_SECRET_KEY", "dummy")
    monkeypatch.setenv("HOME", str(tmp_path))
    from shop.settings import load
    assert load().secret_key == "dummy"
