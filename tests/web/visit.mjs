// A visit to the page: who opens it, what is pressed there, what it complains of in the console.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, afterEach } from "node:test";
import { browser, close, frames, shown, tabs, watchFrames } from "./browser.mjs";

export let context;
let complaints = [];

after(close);
afterEach(async () => {
  await context?.close();
  context = null;
  assert.deepEqual(complaints, []);
});
export const forgive = () => { complaints = []; };

export async function visit(screen = { viewport: { width: 1024, height: 768 } }) {
  await context?.close();
  complaints = [];
  context = await browser.newContext({ hasTouch: true, ...screen });
  context.setDefaultTimeout(120000); // of a busy machine
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
}
export async function visitInTabs() {
  complaints = [];
  context = await tabs();
}
export async function open(address, starts = true) {
  const page = await context.newPage();
  page.on("console", said => { if (["error", "warning"].includes(said.type())) complaints.push(said.text()); });
  page.on("pageerror", error => complaints.push(String(error)));
  await watchFrames(page);
  await page.goto(address);
  if (starts) await shown(page);
  await rest(page);
  return page;
}
export async function rest(page) { // until nothing is drawn any more
  for (let last = -1, now = await frames(page); last !== now; now = await frames(page)) {
    last = now;
    await page.waitForTimeout(500);
  }
}
export async function press(page, ...keys) {
  for (const key of keys) { await page.keyboard.press(key); await rest(page); }
}
export async function saved(page) { // what File › Save downloads
  const download = page.waitForEvent("download");
  await press(page, "Control+s", "Enter");
  return JSON.parse(fs.readFileSync(await (await download).path(), "utf8"));
}
export const drop = async (page, name, text) => {
  const files = await page.evaluateHandle(([called, words]) => {
    const data = new DataTransfer();
    data.items.add(new File([words], called));
    return data;
  }, [name, text]);
  await page.dispatchEvent("#canvas", "drop", { dataTransfer: files });
  await rest(page);
};
