"""Home in a real browser beside a one-chart app: first paint, and a move of the slider."""

import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.clock import line
from tests.browser import FLAGS, HOW, chromium, running_app

MOVES = 24
# The chart is new when what it draws differs from what it drew at the key press.
WATCH = """() => {
    const hash = () => [...document.querySelectorAll('[data-testid=stVegaLiteChart]')].map(c => {
        const canvas = c.querySelector('canvas');
        return canvas ? canvas.toDataURL() : (c.querySelector('svg')?.outerHTML ?? '');
    }).join('|');
    const before = hash();
    window.changed = new Promise(done => {
        const start = performance.now();
        const look = () => {
            const now = hash();
            if (now !== before && now !== '') done(performance.now() - start);
            else if (performance.now() - start > 5000) done(NaN);
            else requestAnimationFrame(look);
        };
        look();
    });
}"""


def home() -> Iterator[str]:
    path = chromium()
    if path is None:
        yield HOW
        return
    from playwright.sync_api import sync_playwright

    plain_app = Path(__file__).parent / "one_chart.py"
    with (
        running_app() as ours,
        running_app(plain_app) as plain,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        for url in (ours, plain):
            paint_s(browser, url)  # the first load fills caches on both sides
        paints = {url: [] for url in (ours, plain)}
        for _ in range(5):
            for url, times in paints.items():
                times.append(paint_s(browser, url))
        first, bare = (statistics.median(times) for times in paints.values())
        yield line(f"Home to its chart (one-chart app: {bare:.2f} s)", f"{first / bare:.2f} x",
                   "<= 1.5 x")  # fmt: skip
        moves, plain_moves = moves_s(browser, ours), moves_s(browser, plain)
        p95, plain_p95 = p95_of(moves), p95_of(plain_moves)
        yield line("slider to new chart, p50", f"{statistics.median(moves) * 1e3:.0f} ms", "-")
        yield line("slider to new chart, p95", f"{p95 * 1e3:.0f} ms", "<= 250 ms")
        yield line(f"the same over the one-chart app's ({plain_p95 * 1e3:.0f} ms)",
                   f"{p95 / plain_p95:.2f} x", "<= 2 x")  # fmt: skip
        browser.close()


def p95_of(times: list[float]) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))]


def paint_s(browser, url: str) -> float:
    """Seconds from asking for the page until its chart is drawn."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    start = time.perf_counter()
    page.goto(url)
    page.wait_for_selector("[data-testid=stVegaLiteChart] :is(canvas, svg)")
    seconds = time.perf_counter() - start
    context.close()
    return seconds


def moves_s(browser, url: str) -> list[float]:
    """Seconds of each move of the page's slider until its chart is another one."""
    context = browser.new_context(viewport={"width": 1280, "height": 2400})
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("[data-testid=stVegaLiteChart] :is(canvas, svg)")
    page.wait_for_timeout(1500)
    slider = page.get_by_role("slider").first
    slider.focus()
    times = []
    for move in range(MOVES):
        page.evaluate(WATCH)
        page.keyboard.press("ArrowRight" if move // 3 % 2 == 0 else "ArrowLeft")
        changed = page.evaluate("() => window.changed")
        times.append(changed / 1e3)
        page.wait_for_timeout(400)
    context.close()
    return times
