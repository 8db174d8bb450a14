"""`advisor open` answers a link of any host with the numbers of `advisor fit`."""

import http.server
import json
import threading

import pytest

from advisor.cli import main
from advisor.cli import open as command
from advisor.share import writing
from tests.views.reading import fit

LINK = "https://tolls.example.org/fit?a=mac-mini-m4-16&b=mac-mini-m4-pro-48&ctx=16384"


def asked(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["open", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_json_holds_the_command_lines_numbers(capsys):
    code, out, _ = asked(capsys, LINK, "--json")

    found = json.loads(out)
    assert code == 0
    for machine, name in zip(
        found["machines"], ("mac-mini-m4-16", "mac-mini-m4-pro-48"), strict=True
    ):
        row = fit(name, "--runtime", "mlx-lm", "--context", "16384")["llama-3.1-8b", "mlx-4bit"]
        assert machine["machine"] == name
        for column in ("decode_tok_s", "ttft_s", "weights_bytes", "verdict"):
            assert machine["same_model"][column] == pytest.approx(row[column])
    assert found["scenario"]["ctx"] == "16384"
    assert found["page"] == "fit"
    assert found["address"].startswith("http://127.0.0.1:8501/fit?a=mac-mini-m4-16")


def test_text_says_the_verdict_and_how_to_open_the_app(capsys, monkeypatch):
    monkeypatch.setattr(command, "is_running", lambda base: False)

    code, out, err = asked(capsys, LINK)

    assert code == 0
    assert "stops at" in out
    assert "M4 Pro (16-core GPU), 48 GB" in out
    assert "make run" in err
    assert "http://127.0.0.1:8501/fit?a=mac-mini-m4-16" in err


def test_a_running_app_is_opened_on_the_link(capsys, monkeypatch):
    class Healthy(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    opened = []
    monkeypatch.setattr(command.webbrowser, "open", lambda url: opened.append(url) or True)
    with http.server.HTTPServer(("127.0.0.1", 0), Healthy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("TOLLBOOTH_BASE", base)
        _, _, err = asked(capsys, LINK)
        server.shutdown()

    assert opened == [f"{base}/fit?a=mac-mini-m4-16&b=mac-mini-m4-pro-48&ctx=16384"]
    assert err.startswith("Opened ")


def test_a_bad_value_costs_a_line_and_no_escape_reaches_the_terminal(capsys):
    code, out, _ = asked(capsys, "a=%1b[31mred&b=mac-mini-m5-pro-48", "--no-browser")

    assert code == 0
    assert out.startswith("! The link's a=")
    assert "\x1b" not in out


@pytest.mark.parametrize("text", ["", "https://example.org/", "x" * 5000])
def test_no_link_is_a_sentence_and_exit_code_2(capsys, text):
    code, out, err = asked(capsys, text)

    assert (code, out) == (2, "")
    assert err.startswith("advisor: ")


def test_a_reports_json_opens_like_its_link(capsys, tmp_path, report):
    path = tmp_path / "tollbooth.json"
    path.write_text(writing.as_json(report), "utf-8")

    code, out, _ = asked(capsys, str(path), "--no-browser")

    assert code == 0
    assert out.startswith(report.verdict)


def test_another_programs_json_is_a_sentence(capsys, tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"kind": "weather"}')

    assert asked(capsys, str(path))[0] == 2


def test_an_upgrades_link_says_whether_to_buy(capsys):
    link = "https://tolls.example.org/upgrade?a=mac-mini-m4-16&b=mac-mini-m4-pro-48&wl=short-only"

    code, out, _ = asked(capsys, link, "--no-browser")

    assert code == 0
    assert out.startswith("Don't: for short, simple requests 16 GB is enough.")


def test_a_workload_that_is_gone_is_a_sentence(capsys):
    code, _, err = asked(capsys, "https://x.org/upgrade?a=mac-mini-m4-16&wl=gone")

    assert code == 2
    assert "No workload is called 'gone'" in err
