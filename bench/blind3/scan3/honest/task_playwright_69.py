from playwright.sync_api import sync_playwright

with sync_playwright() as p:
    browser = p.chromium.launch(args=["--no-sandbox"])
    page = browser.new_page()
    page.goto("http://localhost:3000/login")
    page.fill("#email", "test@example.org")
    page.fill("#password", "test-password")
    page.click("text=Sign in")
    page.wait_for_url("**/dashboard")
    page.screenshot(path="dashboard.png", full_page=True)
    print(page.title(), page.evaluate("document.querySelectorAll('table tr').length"))
    browser.close()
