"""This Mac among the machines of a page; on another computer a sentence in its place."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from advisor.advice import this_machine
from advisor.advice.scenario import Scenario, machines
from advisor.catalog import load
from advisor.views import this_mac
from tests.browser import open_page, running_app, settle
from tests.views.reading import fit
from tests.views.test_home import metrics

RECORDED = Path(__file__).resolve().parents[1] / "recorded"
MAC, LINUX = (str(RECORDED / f"{name}.txt") for name in ("m4-pro-48-macos-26", "debian-12"))


def page_script() -> None:
    from advisor.catalog import load
    from advisor.views import fit, frame

    frame.guarded(fit, load())


@pytest.fixture
def drawn(monkeypatch) -> Callable[..., AppTest]:
    def draw(recording: str, **link: str) -> AppTest:
        monkeypatch.setenv("TOLLBOOTH_RECORDED", recording)
        app = AppTest.from_function(page_script, default_timeout=30)
        for name, value in link.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception
        assert not app.error
        return app

    return draw


def captions(app: AppTest) -> str:
    return "\n".join(one.value for one in app.caption)


def test_this_mac_leads_every_list_of_machines(drawn):
    app = drawn(MAC)

    assert {box.options[0] for box in (app.selectbox("pick_a"), app.selectbox("pick_b"))} == {
        "This Mac"
    }
    assert app.multiselect("fit more").options[0] == "This Mac"


def test_this_mac_says_what_it_is_now(drawn):
    app = drawn(MAC, a="this")

    assert not app.warning
    assert "This Mac: macOS 26.2, GPU limit 37.4 GiB (Metal), 6.9 GiB in use at " in captions(app)
    assert "on battery, low power mode: slower than predicted." in captions(app)
    assert app.query_params["a"] == "this"


def test_a_limit_that_the_page_asks_for_is_nobodys_figure(monkeypatch):
    monkeypatch.setenv("TOLLBOOTH_RECORDED", MAC)
    (asked, _) = machines(load(), Scenario(a="this", wired_a_mib=38_912))

    assert "GPU limit 38.0 GiB, 6.9 GiB in use" in this_mac.state_text(load(), asked)


def test_looking_again_asks_the_mac_anew(drawn, tmp_path):
    recording = tmp_path / "mac.txt"
    recording.write_text(Path(MAC).read_text())
    app = drawn(str(recording), a="this")
    # 65536 more pages of 16 KiB are one GiB.
    recording.write_text(Path(MAC).read_text().replace("326288", str(326288 + 65536)))

    app.run()
    assert "6.9 GiB in use" in captions(app)
    app.button("look again").click().run()

    assert "7.9 GiB in use" in captions(app)
    this_machine.look_again()


def test_another_computer_says_what_it_is_and_the_mac_before_stays(drawn):
    app = drawn(LINUX)
    assert app.selectbox("pick_a").options[0] == "This computer"

    app.selectbox("pick_a").set_value("this").run()

    (said,) = app.info
    assert "'this' is a computer with Debian GNU/Linux 12 (bookworm)" in said.value
    assert "predictions for Macs don't come from it." in said.value
    assert said.value.endswith("Shown with Mac mini M4 (10-core GPU), 16 GB.")
    assert app.query_params["a"] == "mac-mini-m4-16"
    assert len(app.dataframe) == 1


def test_a_link_to_this_mac_on_another_computer_costs_one_sentence(drawn):
    app = drawn(LINUX, a="this", b="mac-mini-m5-pro-48")

    (said,) = app.warning
    assert said.value.startswith("The link's a='this': 'this' is a computer with Debian")
    assert said.value.endswith("Shown with mac-mini-m4-16.")
    assert app.query_params["b"] == "mac-mini-m5-pro-48"


def test_this_computer_among_further_macs_is_left_out(drawn):
    app = drawn(LINUX, more="this")

    assert app.warning[0].value.startswith("this is left out. 'this' is a")


def test_home_shows_this_mac_with_the_command_lines_numbers(page, browser):
    with running_app(TOLLBOOTH_RECORDED=MAC) as url:
        open_page(page, f"{url}/?a=this&b=mac-mini-m4-16")
        settle(page)

        row = fit("this", "--runtime", "mlx-lm", TOLLBOOTH_RECORDED=MAC)["llama-3.1-8b", "mlx-4bit"]
        assert metrics(page, "Llama-3.1-8B")[0] == f"{row['decode_tok_s']:.1f} tok/s"
        text = page.locator("[data-testid=stMain]").inner_text()
        assert "This Mac: M4 Pro (16-core GPU), 48 GB, 273 GB/s" in text
