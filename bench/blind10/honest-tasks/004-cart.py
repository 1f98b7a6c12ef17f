"""pytest suite of the shopping cart"""
from decimal import Decimal
from unittest import mock

import pytest

from shop.cart import Cart, OutOfStock


@pytest.fixture
def cart(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOP_DATA", str(tmp_path))
    return Cart(customer="c-1")


@pytest.mark.parametrize("qty,total", [(1, "9.99"), (3, "29.97"), (10, "89.91")])
def test_total_with_discount(cart, qty, total):
    cart.add("mug", qty=qty, price=Decimal("9.99"))
    assert cart.total() == Decimal(total)


def test_out_of_stock(cart):
    with mock.patch("shop.cart.stock_level", return_value=0) as level:
        with pytest.raises(OutOfStock, match="mug"):
            cart.add("mug", qty=1, price=Decimal("1"))
    level.assert_called_once_with("mug")


def test_persisted(cart, tmp_path):
    cart.add("tea", qty=2, price=Decimal("4.50"))
    cart.save()
    assert (tmp_path / "c-1.json").read_text().startswith("{")
    assert Cart.load("c-1").total() == Decimal("9.00")
