// The browser, the pages, and what no page may ever do.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = resolve(root, process.env.LIFECYCLE_PROGRAM ?? "target/debug/lifecycle");

const runs = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of Chromium: what CHROMIUM says, or the first one in PATH; undefined if there is none. */
export function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(runs);
}

const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** Starts a browser with a profile of its own. */
export const launch = () => puppeteer.launch({ executablePath: chromium(), args: flags });

/** A folder for pages that goes with the tests. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), "lifecycle-pages-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Draws a model that is given as a text; returns the address of the page. */
export function drawn(text, name, into) {
  const model = join(into, `${name}.toml`);
  writeFileSync(model, text);
  return drawnFile(model, name, into);
}

/** Draws a model from a file, by its path from the top of the repository; returns the address of the page. */
export function drawnFile(model, name, into) {
  const page = join(into, `${name}.html`);
  execFileSync(program, ["render", resolve(root, model), "--format", "html", "--output", page, "--quiet"]);
  return pathToFileURL(page).href;
}

/** Draws a model with evidence of usage, both given as texts; the rows are CSV. Returns the address of the page. */
export function drawnWithUsage(text, rows, name, into) {
  const [model, table, evidence] = ["toml", "csv", "usage.json"].map((kind) => join(into, `${name}.${kind}`));
  writeFileSync(model, text);
  writeFileSync(table, rows);
  execFileSync(program, ["usage", table, "-m", model, "--output", evidence, "--quiet"]);
  return printed(["render", model, "--evidence", evidence, "--format", "html"], name, into);
}

/** Keeps the page that a command prints, which may also answer that something is not allowed; returns its address. */
export function printed(words, name, into) {
  const page = join(into, `${name}.html`);
  const run = spawnSync(program, words, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  assert.ok(run.status === 0 || run.status === 1, run.stderr);
  writeFileSync(page, run.stdout);
  return pathToFileURL(page).href;
}

/** The ids of the elements of a model, as the plan lists them. */
export function elements(model) {
  const plan = execFileSync(program, ["plan", resolve(root, model), "--format", "json"], { maxBuffer: 1 << 28 });
  return JSON.parse(plan).elements.map((element) => element.id);
}

/**
 * Opens a page, hands it to the test, and holds that nothing was asked for but the file, that nothing was said on the
 * console, and that no dialog came up.
 */
export async function visit(browser, url, test, { width = 1440, height = 900, theme = "light", script = true } = {}) {
  const page = await browser.newPage();
  const wrong = [];
  page.on("console", (message) => wrong.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const own = request.isNavigationRequest() && request.url().split("#")[0] === url.split("#")[0];
    if (!own) wrong.push(`request: ${request.url()}`);
    if (own) request.continue();
    else request.abort();
  });
  try {
    await page.setJavaScriptEnabled(script);
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    await page.goto(url, { waitUntil: "load" });
    await test(page);
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
}

/** The ids of the rows that can be seen, in order; the labels where the page has no script. */
export const shown = (page) => page.$$eval(".group .row", (rows) => rows
  .filter((row) => row.checkVisibility())
  .map((row) => row.querySelector('[role="rowheader"]').textContent));

/** What the page says of how much it shows. */
export const status = (page) => page.$eval("#status", (line) => line.textContent);

/** What stands behind the # once the page had the time to write it. */
export async function hash(page) {
  await new Promise((done) => setTimeout(done, 250));
  return page.evaluate(() => location.hash);
}

/** The text of the details. */
export const details = (page) => page.$eval("#about", (box) => box.innerText);
