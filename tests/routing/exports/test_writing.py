import json
import subprocess

import yaml

from advisor.routing.exports.writing import comment, environment_text, json_text, yaml_text


def test_yaml_reads_back_in_its_own_order():
    value = {"z": "a\nb\n", "a": ["x: y", "no", "1e3", "ü"], "m": {"n": None, "o": 1}}

    found = yaml.safe_load(yaml_text(value, ["head"]))

    assert found == value
    assert list(found) == ["z", "a", "m"]


def test_several_lines_are_a_block_people_can_edit():
    assert yaml_text({"cmd": "one\n  two\n"}) == "cmd: |\n  one\n    two\n"


def test_a_line_break_cannot_leave_a_comment():
    assert comment(["Mac mini\nrm -rf ~", "\x0bx"]) == "# Mac mini rm -rf ~\n#  x\n"


def test_json_reads_back():
    assert json.loads(json_text({"b": "é", "a": 1})) == {"b": "é", "a": 1}


def test_a_shell_reads_any_value():
    text = environment_text({"A": "it's $HOME", "B": 3}, ["two values"])

    shown = subprocess.run(
        ["sh", "-c", f'{text}\nprintf "%s|%s" "$A" "$B"'],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip

    assert shown == "it's $HOME|3"
