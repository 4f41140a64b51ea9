// The page in Chromium: node --test tests/web/page_test.mjs, with NORMSCOPE_WEB=build/web; ./web.sh --test does it.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { frames, heard, home, reach, shown, web } from "./browser.mjs";
import { context, drop, forgive, open, press, rest, saved, visit, visitInTabs } from "./visit.mjs";
import "./with_desktop.mjs";

test("the folder draws, and rests", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  await page.waitForTimeout(2000); // a busy machine compiles on
  const drawn = await frames(page);
  await page.waitForTimeout(3000);
  assert.equal(await frames(page), drawn);
  assert.ok(drawn > 0);
});

test("the one file opens from disk and offline", async () => {
  await visit();
  await context.setOffline(true);
  const page = await open("file://" + path.join(web, "normscope.html") + "?example=studying");
  assert.equal((await saved(page)).x.length, 4);
});

for (const workspace of ["add-norm", "batch-vs-layer", "backward", "gradient-flow", "transformer", "train"])
  test("the address opens " + workspace, async () => {
    await visit();
    const page = await open(`${home}?example=studying&workspace=${workspace}&theme=dark&language=de`);
    assert.equal((await saved(page)).view?.workspace ?? "add-norm", workspace);
  });

test("a file that is dropped or chosen is opened, and a session is downloaded", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  await drop(page, "mine.csv", "4,5,6\n1,2,3\n");
  assert.deepEqual((await saved(page)).x, [[4, 5, 6], [1, 2, 3]]);
  fs.writeFileSync(path.join(web, "own.csv"), "1,2\n3,4\n5,6\n");
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Control+o");
  await (await chooser).setFiles(path.join(web, "own.csv"));
  await page.waitForTimeout(500);
  await rest(page);
  assert.deepEqual((await saved(page)).x, [[1, 2], [3, 4], [5, 6]]);
});

async function copied(page, ...keys) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await press(page, ...keys);
  return (await page.waitForFunction(() => navigator.clipboard.readText())).jsonValue();
}

test("cells come from the clipboard and go there", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  await page.mouse.click(175, 210); // a cell of X
  await rest(page);
  await page.evaluate(() => navigator.clipboard.writeText("7\t8\n9\t10\n"));
  await press(page, "Control+v");
  assert.equal(await copied(page, "Control+c"), "7\t8\n9\t10\n");
  await page.evaluate(() => navigator.clipboard.writeText("of another program"));
  await press(page, "Escape", "Escape", "Control+3", "Control+c"); // no cell has the keyboard
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "of another program");
});

test("the work of a page that is gone is offered once, that of a second page is left alone", async () => {
  await visit();
  const first = await open(home + "?example=studying");
  await drop(first, "first.csv", "1,2\n");
  const second = await open(home + "?example=studying");
  await drop(second, "second.csv", "3,4\n");
  await first.close();
  const third = await open(home);
  await press(third, "Enter"); // Bring it back
  assert.deepEqual((await saved(third)).x, [[1, 2]]);
  assert.deepEqual((await saved(second)).x, [[3, 4]]);
});

test("a link that is copied opens the same session, on a page that is there too", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  await drop(page, "mine.csv", "4,5,6\n1,2,3\n");
  const link = await copied(page, "Alt+e", "ArrowUp", "Enter"); // Copy link
  assert.match(link, /^http:\/\/localhost:\d+\/#s=[\w-]+$/);
  assert.ok(link.length < 400, link);
  const own = await saved(page);
  const other = await open(link);
  assert.deepEqual(await saved(other), own);
  await other.reload();
  await shown(other);
  await rest(other);
  await press(other, "Escape"); // unsaved work is offered
  assert.deepEqual((await saved(other)).x, own.x);
  const third = await open(home + "?example=studying");
  await third.evaluate(hash => { location.hash = hash; }, new URL(link).hash);
  await rest(third);
  assert.deepEqual((await saved(third)).x, own.x);
  fs.writeFileSync(path.join(web, "own.normscope.json"), JSON.stringify(own));
  fs.writeFileSync(path.join(web, "own.link"), link);
});

test("numbers are downloaded as CSV, and the file opens again", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  const download = page.waitForEvent("download");
  await press(page, "Alt+f", "ArrowUp", "ArrowRight", ...Array(4).fill("ArrowDown"), "Enter"); // Export, Y
  await page.keyboard.type("y.csv");
  await press(page, "Enter");
  const text = fs.readFileSync(await (await download).path(), "utf8");
  await drop(page, "y.csv", text);
  await press(page, "Enter"); // It becomes X
  const numbers = text.trim().split("\n").slice(1).map(row => row.split(",").slice(1).map(Number));
  assert.deepEqual((await saved(page)).x, numbers);
});

test("a broken link says so and opens the first document", async () => {
  await visit();
  const page = await open(home + "#s=AAAA");
  await press(page, "Tab");
  assert.match(await heard(page), /damaged|beschädigt|dañado/);
  assert.equal((await saved(page)).x.length, 4);
});

test("back from a link is the document before it", async () => {
  await visit();
  const page = await open(home + "?example=one-feature");
  const { x } = await saved(page);
  await press(page, "2");
  const link = fs.readFileSync(path.join(web, "own.link"), "utf8").trim();
  await page.evaluate(hash => { location.hash = hash; }, new URL(link).hash);
  await rest(page);
  assert.notDeepEqual((await saved(page)).x, x);
  await page.goBack();
  await shown(page);
  await rest(page);
  assert.deepEqual((await saved(page)).x, x);
});

test("from a server without https work is kept, saved and copied", async () => {
  await visit();
  const address = home.replace("localhost", "school.example") + "?example=studying&language=en";
  const page = await open(address);
  assert.ok(!await page.evaluate(() => isSecureContext));
  await reach(page, /^fader/);
  await press(page, "ArrowUp");
  const { gamma } = await saved(page);
  await reach(page, /^cells.*X/);
  await press(page, "Control+c");
  const other = await open(home + "?example=studying");
  assert.match(await other.evaluate(() => navigator.clipboard.readText()), /^-?\d/);
  await reach(page, /^fader/);
  await press(page, "ArrowUp");
  await page.waitForTimeout(1500);
  const beside = await open(address); // leaves the first one's copy alone
  assert.doesNotMatch(await heard(beside), /unsaved/);
  await beside.close();
  await page.reload();
  await shown(page);
  await rest(page);
  assert.match(await heard(page), /unsaved/);
  await press(page, "Enter");
  assert.notDeepEqual((await saved(page)).gamma, gamma);
});

test("a file is saved under a name, and Edit › Paste says which key pastes", async () => {
  await visit();
  const page = await open(home + "?example=studying&language=en");
  await press(page, "Control+s", "Control+a");
  await page.keyboard.type("/tmp/mine.json");
  await press(page, "Enter", "Tab");
  assert.match(await page.evaluate(() => Module.FS.readdir("/tmp").join()), /^.,..$/);
  await press(page, "Escape");
  await reach(page, /^cells/);
  await press(page, "Alt+e");
  for (let i = 0; i < 9 && !/^menu item Paste/.test(await heard(page)); ++i) await press(page, "ArrowDown");
  await press(page, "Enter");
  assert.match(await heard(page), /Ctrl\+V/);
});

test("the wheel belongs to the page, in a frame from the first click on; Escape and Tab lead out of one", async () => {
  await visit();
  const page = await open(home + "?example=studying&workspace=backward");
  const before = await page.screenshot();
  await page.mouse.move(450, 600);
  await page.mouse.wheel(0, 300);
  await rest(page);
  assert.notDeepEqual(await page.screenshot(), before);
  const host = await context.newPage();
  await host.setContent(`<iframe src="${home}?panel=add-norm.card-y" width="500" height="400"></iframe><div style="height:3000px">`);
  await host.frameLocator("iframe").locator("#told").waitFor({ state: "hidden" });
  await host.mouse.move(200, 200);
  await host.mouse.wheel(0, 300);
  await host.waitForFunction(() => scrollY > 0);
  await host.evaluate(() => { document.body.insertAdjacentHTML("beforeend", "<button>After it</button>"); scrollTo(0, 0); });
  await host.mouse.click(200, 30);
  await press(host, "Tab", "Escape");
  assert.equal(await host.evaluate(() => document.activeElement.tagName), "IFRAME");
  await host.keyboard.press("Tab");
  assert.equal(await host.evaluate(() => document.activeElement.tagName), "BUTTON");
});

test("a picture that the browser takes away is told", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  await page.evaluate(() => canvas.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
  await page.waitForFunction(() => /reload/.test(document.getElementById("words").textContent));
  forgive();
});

test("what has the keyboard is told, with its number after a key", async () => {
  await visit();
  const page = await open(home + "?example=studying&language=en");
  const before = (await saved(page)).gamma;
  await reach(page, /^fader/);
  assert.match(await heard(page), /^fader γ d0 1\.00/);
  await press(page, "ArrowUp");
  assert.match(await heard(page), /^fader γ d0 1\.10/);
  assert.notDeepEqual((await saved(page)).gamma, before);
  await page.mouse.move(43, 540);
  await page.mouse.down();
  await page.mouse.move(43, 510, { steps: 5 });
  await page.mouse.up();
  await rest(page);
  assert.match(await heard(page), /γ of d0: .* → \d\.\d+: \d+ of 24 values of Y moved/);
});

test("the items of a menu are told while arrow keys walk them", async () => {
  await visit();
  const page = await open(home + "?example=studying&language=en");
  await press(page, "Alt+f");
  assert.match(await heard(page), /^menu item Open… Ctrl\+O/);
  await press(page, "ArrowUp");
  assert.match(await heard(page), /^menu item Export/);
  await press(page, "ArrowRight");
  assert.match(await heard(page), /^menu item (?!Export)/);
  await press(page, "Escape", "Escape");
  assert.doesNotMatch(await heard(page), /menu item/);
});

test("a panel stands alone in a page of somebody else, and an unknown one says which there are", async () => {
  await visit();
  const page = await open(home + "?panel=add-norm.card-y");
  const host = await context.newPage();
  await host.setContent(`<iframe src="${home}?panel=add-norm.card-y" width="500" height="400"></iframe>`);
  await host.frameLocator("iframe").locator("#told").waitFor({ state: "hidden" });
  assert.ok(await frames(page) > 0);
  const unknown = await open(home + "?panel=add-norm.nothing", false);
  await unknown.waitForFunction(() => /card-y/.test(document.getElementById("words").textContent));
  forgive();
});

test("figures are downloaded as SVG and PNG", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  for (const [kind, begin] of [["png", [0x89, 0x50, 0x4e, 0x47]], ["svg", [...Buffer.from("<svg")]]]) {
    const download = page.waitForEvent("download");
    await press(page, "Alt+f", "ArrowUp", "ArrowRight", "ArrowUp", "Enter"); // Export, Whole workspace
    await page.keyboard.type("figure." + kind);
    await press(page, "Enter");
    const bytes = fs.readFileSync(await (await download).path());
    assert.deepEqual([...bytes.subarray(0, 4)], begin);
    fs.writeFileSync(path.join(web, "figure." + kind), bytes);
  }
});

test("a lesson's handout is downloaded as pages to print, with the solutions beside it", async () => {
  await visit();
  const page = await open(home + "?lesson=shortcut&language=en");
  const downloads = [];
  page.on("download", one => downloads.push(one));
  await press(page, "Alt+l", "ArrowUp", "ArrowUp", "ArrowUp", "Enter", "Enter"); // Save a handout, its name
  for (let i = 0; i < 120 && downloads.length < 2; ++i) await page.waitForTimeout(500);
  assert.deepEqual(downloads.map(one => one.suggestedFilename()).sort(), ["shortcut-handout-solutions.html", "shortcut-handout.html"]);
  const paper = await context.newPage();
  fs.copyFileSync(await downloads[0].path(), path.join(web, "handout.html"));
  await paper.goto("file://" + path.join(web, "handout.html"));
  assert.ok(await paper.locator("svg").count() >= 2);
});

test("motion and contrast are as the system wants them, language and theme as they were chosen", async () => {
  await visit();
  const page = await context.newPage();
  await page.emulateMedia({ reducedMotion: "reduce", contrast: "more" });
  await page.goto(home);
  await shown(page);
  assert.deepEqual(await page.evaluate(() => Module.arguments.slice(-3)), ["--reduce-motion", "--theme", "contrast"]);
});

test("a telephone is told that its screen is small, and shows one panel after the other", async () => {
  await visit({ viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, isMobile: true });
  const page = await open(home + "?example=studying&language=en");
  await reach(page, /^This screen is small: button One panel after the other/);
  await press(page, "Enter");
  const first = await page.screenshot();
  await press(page, "ArrowRight");
  assert.notDeepEqual(await page.screenshot(), first);
});

test("two fingers scroll, and make all larger or smaller", async () => {
  await visit();
  const page = await open(home + "?example=studying&workspace=backward");
  const before = await page.screenshot();
  const session = await context.newCDPSession(page);
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch("touchStart", [400, 600], [500, 600]);
  for (let y = 580; y >= 300; y -= 20) await touch("touchMove", [400, y], [500, y]);
  await touch("touchEnd");
  await rest(page);
  const scrolled = await page.screenshot();
  assert.notDeepEqual(scrolled, before);
  for (const away of [1, -1]) {
    await touch("touchStart", [450 - 50, 300], [450 + 50, 300]);
    for (let d = 0; d <= 80; d += 10) await touch("touchMove", [400 - away * d / 2, 300], [500 + away * d / 2, 300]);
    await touch("touchEnd");
    await rest(page);
    assert.notDeepEqual(await page.screenshot(), scrolled);
  }
  assert.equal((await saved(page)).view.workspace, "backward");
  const faders = await open(home + "?example=studying");
  const { gamma } = await saved(faders);
  const over = await context.newCDPSession(faders);
  const put = (type, ...points) => over.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await put("touchStart", [43, 560]);
  await put("touchMove", [43, 555]);
  await faders.waitForTimeout(300); // it is held: nothing rests
  await put("touchStart", [43, 555], [143, 555]);
  for (let y = 550; y >= 500; y -= 10) await put("touchMove", [43, y], [143, y]);
  await put("touchEnd");
  await rest(faders);
  assert.deepEqual((await saved(faders)).gamma, gamma);
  await drag_by_finger(faders, ...[540, 535, 530, 525, 520].map(y => ({ x: 43, y }))); // one finger is the mouse again
  assert.notDeepEqual((await saved(faders)).gamma, gamma);
});

test("what was loaded goes on without a network", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  await context.setOffline(true);
  for (const key of ["2", "3", "4", "5", "6", "1"]) await press(page, "Control+" + key);
  await press(page, "Alt+v", "Escape");
  assert.equal((await saved(page)).x.length, 4);
});

test("lesson 1 is gone through to its end by keys", async () => {
  await visit();
  const page = await open(home + "?lesson=shortcut&language=en");
  await reach(page, /^text field/);
  await press(page, "7", "Enter", "Enter", "Alt+ArrowRight");
  const answer = async (words) => { await reach(page, words); await press(page, "Space", "Alt+Enter"); };
  await answer(/^one of several.*3\.16/);
  await press(page, "Alt+ArrowRight");
  await answer(/^one of several.*unchanged/);
  await reach(page, /^cells.*F\(X\)/);
  await press(page, "Home", "0", "Tab", "0", "Tab", "0", "Enter", "Alt+ArrowRight");
  await answer(/^one of several.*the norm of/);
  await press(page, "Alt+ArrowRight");
  await answer(/^one of several.*nothing/);
  await reach(page, /^one of several Add/);
  await press(page, "ArrowRight", "Alt+ArrowRight");
  const kept = await page.evaluate(() => filesIn(folders[1]).map(name => Module.FS.readFile(name, { encoding: "utf8" })).join());
  assert.match(kept, /shortcut/);
  assert.match(kept, /"finished": *true/);
});

test("a cell that has the keyboard tells whose it is, and its value", async () => {
  await visit();
  const page = await open(home + "?example=one-to-four&language=en");
  await reach(page, /^cells.*, X /);
  await press(page, "Home");
  const first = await heard(page);
  assert.match(first, /, X 1\./);
  await press(page, "ArrowRight");
  assert.match(await heard(page), /, X 2\./);
  await press(page, "5", "Enter");
  assert.deepEqual((await saved(page)).x, [[1, 5, 3, 4]]);
});

test("a finger on a number brings the screen's keyboard, and what it writes is taken", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  await press(page, "Tab", "Tab"); // a real key before
  await page.touchscreen.tap(153, 207);
  await page.touchscreen.tap(153, 207); // twice: a cell is edited
  await rest(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), "field");
  await page.keyboard.insertText("2.5");
  await rest(page);
  await press(page, "Enter");
  assert.notEqual(await page.evaluate(() => document.activeElement.id), "field");
  assert.equal((await saved(page)).x[1][1], 2.5);
});

test("a hidden tab draws nothing and computes nothing", async () => {
  await visitInTabs();
  await context.addInitScript(() => {
    window.timers_run = 0;
    const wait = window.setTimeout;
    window.setTimeout = (run, ...rest) => wait(() => { ++window.timers_run; run(); }, ...rest);
  });
  const page = await open(home + "?example=train-spirals&language=en");
  await reach(page, /^button Run/);
  await page.keyboard.press("Space");
  const runs = from => page.waitForFunction(n => window.frames_drawn > n + 10, from);
  await runs(await frames(page));
  const work = () => page.evaluate(() => [window.frames_drawn, window.timers_run]);
  const seen = await context.newPage();
  await seen.bringToFront();
  await page.waitForFunction(() => document.hidden, null, { polling: 100 });
  const before = await work();
  await seen.evaluate(() => new Promise(done => {
    let left = 120; // frames
    const draw = () => --left ? requestAnimationFrame(draw) : done();
    draw();
  }));
  assert.deepEqual(await work(), before);
  await page.bringToFront();
  await runs(before[0]);
});

test("code that is copied shows its panel in a page of somebody else", async () => {
  await visit();
  const page = await open(home + "?example=studying&language=en");
  const code = await copied(page, "Alt+v", ...Array(8).fill("ArrowUp"), "ArrowRight", "Enter"); // Copy embed code, of the first panel
  assert.match(code, /^<iframe src="http:.*[?]panel=add-norm[.].*" width="\d+" height="\d+"><\/iframe>$/);
  const host = await context.newPage();
  await host.setContent(code);
  await host.frameLocator("iframe").locator("#told").waitFor({ state: "hidden" });
});

test("keys of the browser stay its own, those of the program do not leave the page", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  const passed = (key, ctrlKey, altKey) => page.evaluate(([key, ctrlKey, altKey]) => // on to the browser
    document.getElementById("canvas").dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, altKey, bubbles: true, cancelable: true })), [key, ctrlKey, altKey]);
  for (const key of ["t", "w", "l", "n", "r", "c", "x", "v", "f", "+", "-", "0"]) assert.ok(await passed(key, true), key); // the clipboard comes by its events
  for (const key of ["F5", "F11", "F12"]) assert.ok(await passed(key, false), key);
  for (const key of ["@", "{"]) assert.ok(await passed(key, true, true), key); // AltGr
  for (const key of ["z", "s", "o", "k"]) assert.ok(!await passed(key, true), key);
  for (const key of ["Tab", "F1", "Backspace", "ArrowDown"]) assert.ok(!await passed(key, false), key);
});

test("the language is the browser's until one is chosen, which is remembered", async () => {
  await visit({ viewport: { width: 1024, height: 768 }, locale: "de-DE" });
  const page = await open(home);
  await reach(page, /^Schaltfläche Abspielen/);
  await press(page, "Alt+v", ...Array(11).fill("ArrowUp"), "ArrowRight", "ArrowDown", "Enter"); // Language, English
  await reach(page, /^button Play/);
  await page.reload();
  await shown(page);
  await rest(page);
  await reach(page, /^button Play/);
});

async function drag_by_finger(page, ...points) {
  const session = await context.newCDPSession(page);
  const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", points[0]);
  for (const point of points.slice(1)) await touch("touchMove", point);
  await touch("touchEnd");
  await rest(page);
}
test("a finger drags a fader", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  const { gamma } = await saved(page);
  await drag_by_finger(page, ...[540, 535, 530, 525, 520, 515, 510].map(y => ({ x: 43, y })));
  const { gamma: dragged } = await saved(page);
  assert.ok(dragged[0] > gamma[0]);
  assert.deepEqual(dragged.slice(1), gamma.slice(1));
});
test("a finger drags a slider", async () => {
  await visit();
  const page = await open(home + "?example=train-spirals&language=en");
  const { train } = await saved(page);
  await drag_by_finger(page, ...[695, 720, 745, 770, 800].map(x => ({ x, y: 724 })));
  const { train: dragged } = await saved(page);
  assert.ok(dragged.common.layers > train.common.layers, JSON.stringify(dragged));
});

for (const ratio of [1, 1.5, 2, 3])
  test(`it is as sharp as the screen at ${ratio} pixels a pixel of the page`, async () => {
    await visit({ viewport: { width: 1024, height: 768 }, deviceScaleFactor: ratio });
    const page = await open(home + "?example=studying");
    const size = () => page.evaluate(() => [canvas.width, canvas.height, canvas.clientWidth, canvas.clientHeight]);
    assert.deepEqual(await size(), [1024 * ratio, 768 * ratio, 1024, 768]);
    const gamma = async () => (await saved(page)).gamma[0];
    const before = await gamma();
    const y = ratio === 3 ? 414 : 540; // of γ: words are at most two and a half times as large
    await page.mouse.move(41, y);
    await page.mouse.down();
    await page.mouse.move(41, y - 20, { steps: 4 });
    await page.mouse.up();
    const dragged = await gamma();
    assert.ok(dragged > before);
    await page.reload(); // with what was saved
    await shown(page);
    await rest(page);
    await drag_by_finger(page, ...[0, 5, 10, 15, 20].map(up => ({ x: 41, y: y - up })));
    assert.ok(await gamma() > before);
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.waitForFunction(width => canvas.width === width, 1200 * ratio);
    assert.deepEqual(await size(), [1200 * ratio, 800 * ratio, 1200, 800]);
  });

test("it follows the browser's zoom, and a window that goes to a sharper screen", async () => {
  await visit();
  const page = await open(home + "?example=studying");
  const session = await context.newCDPSession(page);
  for (const [ratio, zoom] of [[1, 1.5], [2, 1], [1, 0.8], [1.25, 1]]) {
    const [width, height] = [Math.round(1200 / zoom), Math.round(800 / zoom)];
    await session.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio * zoom, mobile: false });
    await page.waitForFunction(wide => canvas.width === wide, Math.round(width * ratio * zoom));
    await rest(page);
    assert.deepEqual(await page.evaluate(() => [canvas.clientWidth, canvas.clientHeight]), [width, height]);
  }
});

test("it says that it is loading until it draws", async () => {
  await visit();
  const page = await context.newPage();
  let go;
  const arrives = new Promise(done => { go = done; });
  await page.route("**/normscope.wasm", async route => { await arrives; await route.continue(); });
  await page.goto(home, { waitUntil: "commit" });
  await page.locator("progress").waitFor();
  assert.match(await page.locator("#words").textContent(), /loading/);
  go();
  await shown(page);
});

test("where WebGL 2 is missing, a sentence says so", async () => {
  await visit();
  await context.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
  const page = await open(home, false);
  await page.waitForFunction(() => /WebGL 2/.test(document.getElementById("words").textContent));
  assert.ok(await page.locator("progress").isHidden());
  forgive();
});
