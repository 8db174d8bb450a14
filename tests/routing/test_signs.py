import json

import pytest

from advisor.routing.signs import MARKERS, enough, signs

CODE = {
    "it says\n  at main (server.js:10:5)": "a stack trace (at main (server.js:10:5))",
    "SELECT a FROM b;\nselect c from d;": "mostly lines of code",
    "Fix app.py, it raises a KeyError": "a file of code (.py) and an identifier (KeyError)",
    "用Rust写一个函数": "a programming language (rust) and a word of programming (函数)",
    "C# 클래스를 설명해 줘": "a programming language (c#) and a word of programming (클래스)",
}
REASONING = {
    r"Solve \frac{1}{x} = 2": r"a formula (\frac)",
    "∀ n: n^2 ≥ n": "signs of mathematics (∀) and an equation (n^2)",
    "3 apples, 4 pears, 5 plums and 6 figs, adım adım": (
        "many numbers and a word of reasoning (adım adım)"
    ),
    "1. If A then B.\n2. If B then C.\nLeite her: A?": (
        "numbered steps and a word of reasoning (leite her)"
    ),
}


@pytest.mark.parametrize(("text", "reason"), CODE.items())
def test_signs_of_code_are_told(text, reason):
    assert enough("code", text) == reason


@pytest.mark.parametrize(("text", "reason"), REASONING.items())
def test_signs_of_reasoning_are_told(text, reason):
    assert enough("reasoning", text) == reason


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The python is a snake.",
        "function code script program debug algorithm",
        "prove it step by step",
        "Dear Sir,\nthank you for your letter.\nI agree.\nYours",
        "Go is a game; Swift wrote Gulliver's Travels.",
        "At 9 or at 10?",
    ],
)
def test_one_sign_or_words_alone_are_not_enough(text):
    assert enough("code", text) == ""
    assert enough("reasoning", text) == ""


def test_words_are_stems_in_lower_case_without_doubles():
    for kind in ("code_names", "code_endings", "code_words", "reasoning_words"):
        words = json.loads(MARKERS.read_text(encoding="utf-8"))[kind]

        assert words == [word.lower() for word in words]
        assert len(words) == len(set(words))


def test_words_are_the_only_signs_of_one_language():
    names = [sign.name for kind in signs().values() for sign in kind if not sign.neutral]

    assert names == ["a word of programming", "a word of reasoning"]
