"""The race: two machines write the same answer, at predicted speeds after predicted waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from advisor.units import format_tokens
from advisor.upgrade import race
from advisor.upgrade.answer import Target, Upgrade
from advisor.upgrade.race import Runner
from advisor.views.page_keys import PageKeys
from advisor.views.upgrade_keys import LENGTHS, RACERS

SPEEDS = (1, 4, 16)  # times real time
CHARACTERS_A_TOKEN = 4  # of English, about
TEXT = (
    "A prompt is read once, all of it together: a sum you pay once. Every token after it is a "
    "trip of its own to memory, which reads the weights again: a toll you pay per token. Room "
    "decides what fits. Bandwidth decides how fast it is written. They are two purchases. "
)

HTML = """
<div class="bar">
  <button type="button" class="go">Start</button>
  <button type="button" class="again">From the start</button>
  <label>Time <select class="rate" aria-label="Times real time"></select></label>
</div>
<div class="lanes"></div>
"""
CSS = """
:host, .lanes, .bar { font-family: var(--st-font); color: var(--st-text-color); }
.bar { display: flex; gap: .5rem; align-items: center; flex-wrap: wrap; margin-bottom: .6rem; }
button, select { font: inherit; color: inherit; background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color); border-radius: .4rem; padding: .3rem .8rem;
  min-height: 2.2rem; }
button.go { min-width: 6rem; }
.lanes { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: .8rem; }
.lane { border: 1px solid var(--st-border-color); border-radius: .5rem; padding: .7rem; }
.name { font-weight: 600; }
.what, .range { font-size: .85em; opacity: .75; }
.state { font-variant-numeric: tabular-nums; margin: .35rem 0; min-height: 1.4em; }
progress { width: 100%; height: .5rem; accent-color: var(--st-primary-color); }
.text { height: 7.5em; overflow: hidden; display: flex; flex-direction: column;
  justify-content: flex-end; font-size: .9em; line-height: 1.5; overflow-wrap: anywhere; }
"""
JS = """
export default function ({ data, parentElement }) {
  const pick = (name) => parentElement.querySelector(name)
  const go = pick('.go'), again = pick('.again'), rate = pick('.rate'), lanes = pick('.lanes')
  if (!rate.options.length) {
    for (const times of data.rates) rate.add(new Option(times + ' ×', times))
  }
  const make = (name, kind) => {
    const made = document.createElement(name)
    made.className = kind
    return made
  }
  lanes.replaceChildren()
  const drawn = data.runners.map((runner) => {
    const lane = make('div', 'lane')
    const parts = {}
    for (const [kind, tag] of [['name', 'div'], ['what', 'div'], ['state', 'div'],
                               ['bar2', 'progress'], ['text', 'div'], ['range', 'div']]) {
      parts[kind] = make(tag, kind)
      lane.append(parts[kind])
    }
    const words = make('span', '')
    parts.text.append(words)
    parts.name.textContent = runner.name
    parts.what.textContent = runner.model
    parts.range.textContent = runner.range
    parts.bar2.max = data.tokens
    parts.bar2.setAttribute('aria-label', runner.name)
    lanes.append(lane)
    return { runner, parts, words }
  })
  const whole = data.text.repeat(Math.ceil(data.tokens * data.chars / data.text.length))
  const last = Math.max(...data.runners.map((r) => r.done_s))
  let at = 0, before = 0, frame = 0
  const show = () => {
    for (const { runner, parts, words } of drawn) {
      const waiting = at < runner.wait_s
      const count = waiting ? 0
        : Math.min(data.tokens, 1 + Math.floor((at - runner.wait_s) * runner.tok_s))
      parts.bar2.value = count
      words.textContent = whole.slice(0, count * data.chars)
      parts.state.textContent = count >= data.tokens
        ? `done after ${runner.done_s.toFixed(1)} s`
        : waiting ? `${at.toFixed(1)} s, first token at ${runner.wait_s.toFixed(1)} s`
          : `${at.toFixed(1)} s, ${count} of ${data.tokens} tokens, `
            + `${runner.tok_s.toFixed(0)} tok/s`
    }
  }
  const stop = () => {
    cancelAnimationFrame(frame)
    frame = 0
    go.textContent = at >= last ? 'Start' : at > 0 ? 'Go on' : 'Start'
  }
  const step = (now) => {
    at = Math.min(last, at + (now - before) / 1000 * Number(rate.value))
    before = now
    show()
    if (at >= last) stop()
    else frame = requestAnimationFrame(step)
  }
  go.onclick = () => {
    if (frame) return stop()
    if (at >= last) at = 0
    before = performance.now()
    go.textContent = 'Pause'
    frame = requestAnimationFrame(step)
  }
  again.onclick = () => { at = 0; stop(); show() }
  show()
  stop()
  return () => cancelAnimationFrame(frame)
}
"""

_component = st.components.v2.component("tollbooth_race", html=HTML, css=CSS, js=JS)


def data(runners: Sequence[Runner], tokens: int) -> dict[str, Any]:
    """What the drawing needs: numbers, and names that are shown as text only."""
    return {
        "runners": [
            asdict(runner) | {"done_s": runner.done_s(tokens), "range": range_text(runner, tokens)}
            for runner in runners
        ],
        "tokens": tokens,
        "rates": SPEEDS,
        "text": TEXT,
        "chars": CHARACTERS_A_TOKEN,
    }


def range_text(runner: Runner, tokens: int) -> str:
    """ "80 %: first token 29–53 s, done 40–80 s"."""
    low, high = runner.done_between_s(tokens)
    return (
        f"80 % of runs: first token {runner.wait_low:.1f}–{runner.wait_high:.1f} s, "
        f"{runner.tok_s_low:.0f}–{runner.tok_s_high:.0f} tok/s, done {low:.0f}–{high:.0f} s"
    )


def show(runners: Sequence[Runner], tokens: int, key: str) -> None:
    """Draw the race and say who is done first."""
    _component(key=key, data=data(runners, tokens))
    st.caption(race.outcome(runners[0], runners[1], tokens))


def section(found: Upgrade, target: Target, page: PageKeys) -> None:
    """The race's own controls, then the race."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    which = row.segmented_control(
        "With", list(RACERS), key=page.widget("race"), format_func=RACERS.get, required=True
    )
    length = row.segmented_control(
        "Answer (tokens)", list(LENGTHS), key=page.widget("len"), required=True
    )
    cold = row.segmented_control(
        "The model is", ["", "1"], key=page.widget("cold"), required=True,
        format_func=lambda one: "not loaded yet" if one else "in memory",
    )  # fmt: skip
    sides = (found.first, target.side)
    paces = [side.best if which == "best" else side.reference for side in sides]
    runners = [
        race.runner(pace, side.name, cold=bool(cold))
        for side, pace in zip(sides, paces, strict=True)
        if pace is not None
    ]
    if len(runners) < 2:
        st.info("One of the two has no model that is fast enough: choose the same 8B.")
        return
    show(runners, int(length or LENGTHS[1]), "race")
    st.caption(
        f"An uncached prompt of {format_tokens(found.asked.context_tokens)} tokens. Both run at "
        "the middle of their intervals; the text stands for any answer of that length."
    )
