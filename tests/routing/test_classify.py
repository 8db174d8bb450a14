import timeit

import pytest

from advisor.catalog import load
from advisor.routing.classify import asked
from advisor.routing.rules import rules
from tests.routing.exports import tables

TOOL = {"type": "function", "function": {"name": "read_file", "parameters": {"type": "object"}}}


@pytest.fixture(scope="module")
def found():
    return rules(tables.table(load()))


PROMPTS = {
    # the same short question
    "What is the capital of France?": "short",
    "Quelle est la capitale de la France ?": "short",
    "フランスの首都はどこですか？": "short",
    "Какая столица у Франции?": "short",
    "Mji mkuu wa Ufaransa ni upi?": "short",
    # the same task of programming
    "Write a Python function that reverses a list.": "code",
    "Schreibe eine Python-Funktion, die eine Liste umdreht.": "code",
    "Écris une fonction Python qui inverse une liste.": "code",
    "Pythonでリストを逆順にする関数を書いてください。": "code",
    "用Python写一个反转列表的函数。": "code",
    "Напиши функцию на Python, которая переворачивает список.": "code",
    "اكتب دالة بلغة Python تعكس قائمة": "code",
    "Why?\n```\nx = 1\n```": "code",
    "for i in range(3):\n    print(i)\nreturn total": "code",
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>': "code",
    # words alone decide nothing
    "Tell me about the function of the heart, step by step.": "short",
    "Please prove that you are right about the code of Hammurabi.": "short",
    "Where do pythons live?": "short",
    # the same proof
    "Prove step by step that n^2 + n is even.": "reasoning",
    "Beweise Schritt für Schritt, dass n^2 + n gerade ist.": "reasoning",
    "证明 n^2 + n 是偶数。": "reasoning",
    "Докажи, что n^2 + n чётно.": "reasoning",
    "Thibitisha kwamba n^2 + n ≥ 2 kwa n ≥ 1.": "reasoning",
    "Berechne $$\\int_0^1 x^2 dx$$": "reasoning",
}


@pytest.mark.parametrize(("prompt", "kind"), PROMPTS.items())
def test_a_prompt_is_classed_alike_in_every_language(found, prompt, kind):
    assert found.decide(asked(prompt)).kind == kind


@pytest.mark.parametrize("text", ["Hi", "Guten Tag", "你好", "مرحبا", "นี่คืออะไร"])
def test_a_short_message_with_97_tools_is_an_agents_in_any_language(found, text):
    decision = found.decide({**asked(text), "tools": [TOOL] * 97})

    assert (decision.kind, decision.reason) == ("agent", "it defines 97 tools")


def test_the_answer_to_a_tool_call_stays_with_the_agent(found):
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    answer = {"role": "tool", "content": "3 files"}

    assert found.decide({"messages": [call, answer]}).kind == "agent"


def test_the_endpoint_is_looked_at_first(found):
    request = {"input": "```code```", "tools": [TOOL]}

    assert found.decide(request, "/v1/embeddings").class_id == "embeddings"


def test_a_document_is_long_by_its_bytes_in_any_script(found):
    # chat holds 4,096 tokens: 16,384 bytes, which three-byte characters reach sooner.
    assert found.decide(asked("word " * 3400)).kind == "long"
    assert found.decide(asked("字" * 5462)).kind == "long"
    assert found.decide(asked("字" * 5461)).kind != "long"


def test_a_document_with_code_in_it_is_long_before_it_is_code(found):
    decision = found.decide(asked("```\nx = 1\n```\n" + "word " * 3400))

    assert decision.reason == "about 4,254 tokens, more than 4,096"


def test_a_conversation_about_code_stays_with_code(found):
    messages = [
        {"role": "user", "content": "sort a list"},
        {"role": "assistant", "content": "```python\nsorted(x)\n```"},
        {"role": "user", "content": "faster please"},
    ]

    assert found.decide({"messages": messages}).kind == "code"


def test_a_second_question_is_not_short(found):
    turn = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]

    assert found.decide({"messages": [*turn, {"role": "user", "content": "and?"}]}).kind == "chat"


@pytest.mark.parametrize(
    ("parameters", "kind"),
    [
        ({"reasoning_effort": "high"}, "reasoning"),
        ({"reasoning": {"effort": "medium"}}, "reasoning"),
        ({"thinking": {"type": "enabled"}}, "reasoning"),
        ({"reasoning_effort": "none"}, "short"),
    ],
)
def test_asked_for_reasoning_is_reasoning(found, parameters, kind):
    assert found.decide({**asked("hello"), **parameters}).kind == kind


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"messages": None},
        {"messages": ["text", {"role": "user"}, {"content": [None, {"text": 3}]}]},
        {"messages": [{"role": "user", "content": {"no": "list"}}], "tools": "none"},
        {"prompt": ["a", "b"], "tools": {"a": {1, 2}}},
        {"messages": [{"role": "user", "content": "\ud800"}]},
    ],
)
def test_what_is_not_understood_is_passed_over(found, request_):
    assert found.decide(request_).class_id in ("short", "chat")


def test_a_prompt_takes_a_fifth_of_a_millisecond(found):
    prompts = [asked(text * 8) for text in PROMPTS] + [
        asked("plain words that say nothing much " * 400),
        {**asked("hi"), "tools": [TOOL] * 97},
    ]
    for prompt in prompts:
        found.decide(prompt)

    best = min(timeit.repeat(lambda: [found.decide(p) for p in prompts], number=3, repeat=5))

    # The bound is 0.2 ms; a shared test machine gets three times that.
    assert best / 3 / len(prompts) < 0.6e-3
