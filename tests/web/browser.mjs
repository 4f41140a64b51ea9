// Debian's Chromium with software WebGL, and a server of build/web/page (or NORMSCOPE_WEB) on localhost.
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

export const web = path.resolve(process.env.NORMSCOPE_WEB ?? "build/web");
const { chromium } = createRequire(path.join(web, "package.json"))("playwright-core");
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = http.createServer((request, answer) => {
  const name = path.basename(new URL(request.url, "http://localhost").pathname) || "index.html";
  answer.setHeader("Content-Type", types[path.extname(name)] ?? "text/plain");
  answer.end(fs.readFileSync(path.join(web, "page", name)));
});
await new Promise(done => server.listen(0, "localhost", done));
export const home = `http://localhost:${server.address().port}/`;
const executablePath = "/usr/bin/chromium";
// school.example is the same server, by a name that browsers trust no more than any other without https.
const args = ["--host-resolver-rules=MAP school.example localhost", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
export const browser = await chromium.launch({ executablePath, args });
// Tabs of a browser that hide each other; those that Playwright begins count as seen always.
export async function tabs() {
  const profile = fs.mkdtempSync(path.join(web, "profile-"));
  const program = spawn(executablePath, [...args, "--headless", "--window-size=1024,768", "--remote-debugging-port=0", "--user-data-dir=" + profile]);
  const address = await new Promise(found => {
    let said = "";
    program.stderr.on("data", words => {
      said += words;
      const [, where] = /listening on (ws:\S+)/.exec(said) ?? [];
      if (where) found(where);
    });
  });
  program.on("exit", () => fs.rmSync(profile, { recursive: true }));
  const connected = chromium.connectOverCDP(address, { noDefaults: true, timeout: 120000 });
  connected.catch(() => program.kill()); // else the tests would wait for its end
  const [context] = (await connected).contexts();
  context.on("close", () => program.kill());
  return context;
}
export async function close() {
  await browser.close();
  server.close();
}

export const heard = page => page.evaluate(() => document.getElementById("live").textContent);
// Counts frames, and tells when the first one was drawn.
export const watchFrames = page => page.addInitScript(() => {
  window.frames_drawn = 0;
  window.ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = draw => window.ask(time => { ++window.frames_drawn; draw(time); });
});
export const frames = page => page.evaluate(() => window.frames_drawn);
export const shown = page => page.waitForFunction(() => document.getElementById("told").hidden);
export async function reach(page, control) { // by Tab, what the live text tells so
  for (let i = 0; i < 150; ++i) {
    if (control.test(await heard(page))) return;
    await page.keyboard.press("Tab");
    await page.evaluate(() => new Promise(settled => { // its frame asks for no other
      let last = -1, still = 0;
      const look = () => {
        still = window.frames_drawn === last ? still + 1 : 0;
        last = window.frames_drawn;
        if (still === 3) settled();
        else window.ask(look);
      };
      look();
    }));
  }
  throw new Error(`no ${control}, but ${await heard(page)}`);
}
