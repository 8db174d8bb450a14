"""Takes the README's pictures of the running app: `python -m tests.pictures`."""

from playwright.sync_api import sync_playwright

from tests.browser import FLAGS, ROOT, chromium, open_page, running_app

PICTURES = {
    "home.png": ("", 1280, 1020, "light"),
    "fit.png": ("fit", 1280, 900, "light"),
    "speed.png": ("speed", 1280, 900, "light"),
    "accuracy.png": ("accuracy", 1280, 900, "light"),
    "home-phone.png": ("", 390, 844, "dark"),
}


def main() -> None:
    with running_app() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        for name, (path, width, height, scheme) in PICTURES.items():
            page = browser.new_page(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            open_page(page, f"{url}/{path}")
            page.wait_for_timeout(1500)  # charts draw after the run has ended
            page.screenshot(path=ROOT / "docs" / name)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
