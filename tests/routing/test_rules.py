from dataclasses import replace

import pytest

from advisor.catalog import load
from advisor.errors import InputError
from advisor.routing.classify import asked
from advisor.routing.rules import KINDS, in_words, kind_of, rules
from tests.routing.exports import tables


def table(*routes):
    return tables.table(load(), routes=routes)


def test_rules_follow_the_order_whatever_the_tables():
    found = rules(tables.table(load(), routes=tables.ROUTES[::-1]))

    order = [rule.kind for rule in found.rules]
    assert order == [kind for kind in KINDS if kind != "images"]
    assert order[-1] == "chat"


def test_each_rule_is_a_sentence_with_its_class():
    found = rules(tables.table(load()))

    assert in_words(found)[0] == "A request for embeddings goes to embeddings."
    assert in_words(found)[-1] == "Everything else goes to chat."
    assert "more than 4,096 tokens" in in_words(found)[2]


def test_a_prompt_is_long_where_the_tables_chat_ends():
    chat = tables.route("chat", "a", context_tokens=2048)

    found = rules(table(chat, tables.route("long", "b", context_tokens=32768)))

    assert found.long_tokens == 2048
    assert found.decide(asked("x" * 8193)).class_id == "long"
    assert found.decide(asked("x" * 8192)).class_id == "chat"


def test_a_kind_the_table_has_no_class_for_does_not_decide():
    found = rules(table(tables.route("chat", "a")))

    assert found.decide({**asked("hi"), "tools": [{}]}).class_id == "chat"


def test_without_chat_the_largest_class_takes_the_rest():
    found = rules(table(tables.route("code", "a", share=0.3), tables.route("agent", "b")))

    assert found.decide(asked("hello")).class_id == "code"


def test_a_class_of_ones_own_is_of_the_kind_that_is_said():
    own = tables.route("tickets", "a", share=0.9)

    assert rules(table(own, tables.ROUTES[1]), {"tickets": "agent"}).rules[0].class_id == "tickets"
    assert kind_of("tickets") == ""
    assert kind_of("vision") == "images"


def test_of_two_classes_of_a_kind_the_larger_share_is_chosen():
    small, large = tables.route("chat", "a", share=0.1), tables.route("talk", "b", share=0.2)

    assert rules(table(small, large), {"talk": "chat"}).rules[-1].class_id == "talk"


def test_images_go_to_the_class_for_them():
    found = rules(table(tables.route("chat", "a"), tables.route("vision", "b")))
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}

    decision = found.decide({"messages": [{"role": "user", "content": [image]}]})

    assert (decision.class_id, decision.reason) == ("vision", "it has an image")


def test_a_table_of_embeddings_alone_is_a_sentence():
    with pytest.raises(InputError, match="No class of this table answers prompts"):
        rules(table(replace(tables.ROUTES[0], class_id="embeddings")))
