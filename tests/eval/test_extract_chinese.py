"""Answers in Chinese: full-width digits and signs, Chinese words around quantities, Chinese units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.quantities.chinese import westernised
from ansatz.quantities.scales import convert
from ansatz.quantities.statements import find


@pytest.mark.parametrize(
    ("text", "symbol", "value", "unit"),
    [
        ("a_p ＝ １３３ m/s²", "a_p", 133, "m/s^2"),
        ("峰值减速度a_p约为133 m/s^2。", "a_p", 133, "m/s^2"),
        ("答案：a_p=133米/秒²；", "a_p", 133, "m/s^2"),
        ("q_s＝1.5×10^6 瓦/平方米，T_w ＝ 1500 开尔文", "q_s", 1.5e6, "W/m^2"),
        ("T_w等于1500K，q_s为1500千瓦每平方米", "q_s", 1.5e6, "W/m^2"),
        ("T_w等于1500K，q_s为1500千瓦每平方米", "T_w", 1500, "K"),
        (r"最终答案：$a_p \approx 133\ \mathrm{m/s^2}$，$T_w = 1500\ \mathrm{K}$", "T_w", 1500, "K"),
        ("壁温T_w＝1226.85摄氏度", "T_w", 1500, "K"),
        ("答案：1500 K", "answer", 1500, "K"),
        ("压力 p_2 = ２．５×１０³ 帕", "p_2", 2500, "Pa"),
    ],
)
def test_a_quantity_is_found(text, symbol, value, unit):
    found = find(text, symbol)
    assert found is not None
    assert convert(found.value, found.unit, unit) == pytest.approx(value)


@given(st.text(alphabet="答案为约等于 0123４５６.=：，()（）瓦每平方米/abQ_$\\^²", max_size=60))
def test_reading_never_raises(text):
    find(text, "q")


@given(st.text(alphabet=st.characters(max_codepoint=0x7F)))
def test_text_without_chinese_signs_is_left_alone(text):
    assert westernised(text) == text
