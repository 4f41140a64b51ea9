// How fast the page is, and the same numerics native on one thread beside it, as a table: ./web.sh --speed.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { browser, close, frames, home, reach, shown, watchFrames, web } from "./browser.mjs";

const native = process.env.NORMSCOPE_SPEED; // build/release/tests/web/normscope_speed
const table = [];
const fresh = async () => (await browser.newContext({ viewport: { width: 1024, height: 768 } })).newPage();
async function open(query) {
  const page = await fresh();
  await watchFrames(page);
  await page.goto(home + query);
  await shown(page);
  await page.waitForTimeout(500);
  return page;
}
async function rate(page, seconds = 4) {
  const before = await frames(page), began = Date.now();
  await page.waitForTimeout(1000 * seconds);
  return 1000 * (await frames(page) - before) / (Date.now() - began);
}

async function first_frame() {
  const page = await fresh();
  await page.addInitScript(() => addEventListener("DOMContentLoaded", () => {
    const told = document.getElementById("told");
    new MutationObserver(() => { window.began = performance.now(); }).observe(told, { attributes: true });
  }));
  const times = [];
  for (let i = 0; i < 6; ++i) { // the first one fills the cache
    await page.goto(home + "?example=studying");
    await shown(page);
    times.push(await page.evaluate(() => window.began));
  }
  await page.close();
  return Math.max(...times.slice(1)) / 1000;
}
async function drag() { // γ of the first feature, by a mouse that moves before each frame
  const page = await open("?example=studying");
  await page.mouse.move(43, 544);
  await page.mouse.down();
  await page.evaluate(() => {
    const canvas = document.getElementById("canvas");
    const began = performance.now();
    const move = now => {
      const clientY = 544 + 40 * Math.sin((now - began) / 300);
      canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: 43, clientY, bubbles: true }));
      window.ask(move);
    };
    window.ask(move);
  });
  const all = await rate(page);
  await page.close();
  return all;
}
async function race() {
  const page = await open("?example=train-spirals&language=en");
  await reach(page, /^button Run/);
  await page.keyboard.press("Space");
  await page.waitForTimeout(1000);
  const all = await rate(page);
  await page.close();
  return all;
}
async function in_page() { // the milliseconds of speed.cpp
  for (const name of ["normscope_speed.js", "normscope_speed.wasm"])
    fs.copyFileSync(path.join(web, "tests/web", name), path.join(web, "page", name));
  fs.writeFileSync(path.join(web, "page/speed.html"), "<!doctype html><link rel=icon href=data:,><script src=normscope_speed.js></script>");
  const page = await fresh();
  const said = page.waitForEvent("console", { timeout: 60000 });
  await page.goto(home + "speed.html");
  const numbers = JSON.parse((await said).text());
  for (const name of ["normscope_speed.js", "normscope_speed.wasm", "speed.html"]) fs.rmSync(path.join(web, "page", name));
  await page.close();
  return numbers;
}

table.push(["first frame of a warm load", `${(await first_frame()).toFixed(2)} s`, "", "", "at most 2 s"]);
table.push(["a dragged γ at 4×6", `${(await drag()).toFixed(0)} frames/s`, "", "", "at least 30 frames/s"]);
table.push(["a race", `${(await race()).toFixed(0)} frames/s`, "", "", "at least 20 frames/s"]);
const page = await in_page();
const beside = native ? JSON.parse(execFileSync(native, { env: { OMP_NUM_THREADS: "1" }, encoding: "utf8" })) : {};
for (const name of Object.keys(page)) {
  const times = native ? (page[name] / beside[name]).toFixed(2) : "";
  table.push([name, `${page[name].toFixed(3)} ms`, native ? `${beside[name].toFixed(3)} ms` : "", times, "at most 2.5 times"]);
}
console.log("| | page | native | page / native | asked |\n| --- | --- | --- | --- | --- |");
for (const row of table) console.log(`| ${row.join(" | ")} |`);
await close();
