// The page beside the desktop program, where NORMSCOPE_DESKTOP says where that is.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { home, web } from "./browser.mjs";
import { drop, open, press, rest, saved, visit } from "./visit.mjs";

const desktop = process.env.NORMSCOPE_DESKTOP;
const examples = path.resolve("assets/examples");

function numbers(npy) { // a matrix of NumPy's
  const header = npy.subarray(10, 10 + npy.readUInt16LE(8)).toString();
  const bytes = npy.subarray(10 + npy.readUInt16LE(8));
  const wide = /'<f8'/.test(header);
  return Array.from({ length: bytes.length / (wide ? 8 : 4) }, (_, i) => wide ? bytes.readDoubleLE(8 * i) : bytes.readFloatLE(4 * i));
}
async function exported(page) { // Y
  const download = page.waitForEvent("download");
  await press(page, "Alt+f");
  for (const key of ["ArrowUp", "ArrowRight", ...Array(4).fill("ArrowDown"), "Enter"]) await page.keyboard.press(key);
  await rest(page);
  await page.keyboard.type("y.npy");
  await press(page, "Enter");
  return numbers(fs.readFileSync(await (await download).path()));
}

test("the numbers of the examples are the desktop's", { skip: !desktop }, async () => {
    // Both refuse a batch of one; what trains or is a Transformer begins with another's matrices.
  for (const example of fs.readdirSync(examples).filter(name => /^(?!train-|transformer-|batch-of-one).*json$/.test(name))) {
    await visit();
    const folder = fs.mkdtempSync(path.join(web, "numbers-"));
    const page = await open(home + "?example=" + path.parse(example).name);
    const document = await saved(page);
    const options = ["--norm", document.norm ?? "layer", "--eps", String(document.eps ?? 1e-5), "--affine", document.affine ?? "feature"];
    for (const [name, option] of [["x", "x"], ["f", "sublayer"], ["gamma", "gamma"], ["beta", "beta"]])
      if (document[name] !== undefined) {
        const file = path.join(folder, name + ".csv");
        fs.writeFileSync(file, [document[name]].flat().map(row => [row].flat().join() + "\n").join(""));
        options.push("--" + option, file);
      }
    execFileSync(desktop, ["compute", ...options, "--out", folder]);
    const y = numbers(fs.readFileSync(path.join(folder, "y.npy")));
    const own = await exported(page);
    const other = y.findIndex((value, i) => !Object.is(own[i], value));
    assert.ok(own.length === y.length && other < 0, `${example}: ${own[other]}, on the desktop ${y[other]}`);
    fs.rmSync(folder, { recursive: true });
  }
});

// The numbers of a text, sorted: that of an SVG is in the order of drawing, that of a PDF in the order of reading.
const numbersIn = text => (text.match(/[−-]?\d[\d.,]*(?:e[−-]?\d+)?/g) ?? []).sort().join(" ");
async function figure(page) { // of the whole workspace, its text
  const download = page.waitForEvent("download");
  await press(page, "Alt+f");
  for (const key of ["ArrowUp", "ArrowRight", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await rest(page);
  await page.keyboard.type("figure.svg");
  await press(page, "Enter");
  const svg = fs.readFileSync(await (await download).path(), "utf8");
  const letters = uses => [...uses.matchAll(/#u([0-9a-f]+)-/g)].map(([, code]) => String.fromCodePoint(parseInt(code, 16)));
  return [...svg.matchAll(/>((?:<use [^>]*>)+)</g)].map(([, uses]) => letters(uses).join("")).join("\n");
}

test("each number that is drawn of an example is the desktop's", { skip: !desktop }, async () => {
  const pdf = path.join(web, "figure.pdf");
  const fonts = path.join(web, "fonts.conf"); // the page's: others leave other room
  fs.writeFileSync(fonts, `<fontconfig><dir>${web}/data/fonts</dir><cachedir>${web}/fonts</cachedir></fontconfig>`);
  const names = fs.readdirSync(examples).filter(name => /json$/.test(name)).map(name => path.parse(name).name);
  for (const example of names.filter(name => name !== "in-space")) { // looked at as points, which is not exported
    await visit();
    const page = await open(home + "?language=en&example=" + example);
    const { view } = await saved(page);
    execFileSync(desktop, ["export", "--example", example, "--workspace", view?.workspace ?? "add-norm", "--figure", "workspace", "--out", pdf],
      { env: { ...process.env, FONTCONFIG_FILE: fonts } });
    const there = execFileSync("pdftotext", [pdf, "-"], { encoding: "utf8" });
    assert.equal(numbersIn(await figure(page)), numbersIn(there), example);
  }
});

test("a session and a link go to the desktop program and come back", { skip: !desktop }, async () => {
  await visit();
  const page = await open(home + "?example=studying");
  await drop(page, "mine.csv", "4,5,6\n1,2,3\n");
  const own = await saved(page);
  const file = path.join(web, "own.normscope.json");
  fs.writeFileSync(file, JSON.stringify(own));
  execFileSync(desktop, ["export", "--session", file, "--figure", "workspace", path.join(web, "own.png")]);
  const link = execFileSync(desktop, ["link", file, "--page", home], { encoding: "utf8" }).trim();
  assert.deepEqual((await saved(await open(link))).x, own.x);
});
