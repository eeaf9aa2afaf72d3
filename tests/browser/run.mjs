// Opens the report in Chromium: node run.mjs FOLDER
//
// On a telephone and on a desk, light and dark: no errors, nothing asked of the network, no overflow, figures and formulas to be seen;
// links and the choice of verdicts work; it prints. Then the checks are held against pages that are broken on purpose.

import { chromium } from 'playwright-core';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const WIDTHS = [390, 1440];
const SCHEMES = ['light', 'dark'];
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
// A printed report has more bytes than this.
const LEAST_PDF = 20_000;
// What ordinary text needs against its ground (WCAG 2, level AA).
const CONTRAST = 4.5;

/** Looks at a page; returns what is wrong with it. */
async function faults(browser, file, { width, scheme }) {
  const found = [];
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => found.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => found.push(`request failed: ${request.url()}`));
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(file).href) found.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
  found.push(...await page.evaluate(look));
  // Once more with every proof open.
  await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
  found.push(...await page.evaluate(look), ...await page.evaluate(contrast, CONTRAST));
  if (await page.evaluate(() => document.querySelector('#claims .filter') !== null)) found.push(...await choose(page));
  await page.close();
  return found;
}

/** Runs within the page: overflow, figures, formulas. */
function look() {
  const found = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) {
    const beyond = [...document.querySelectorAll('body *')].find((element) => {
      const box = element.getBoundingClientRect();
      return box.right > innerWidth + 1 && !element.parentElement.closest('.scroll, .shown, .formula');
    });
    found.push(`the page is ${wide} px wide, at ${innerWidth}: ${beyond?.outerHTML.slice(0, 120)}`);
  }
  for (const drawing of document.querySelectorAll('figure')) {
    const svg = drawing.querySelector('svg');
    const box = svg?.getBoundingClientRect();
    if (!(box?.width > 100 && box?.height > 100)) found.push(`figure ${drawing.id} cannot be seen`);
  }
  const formulas = [...document.querySelectorAll('math')].filter((math) => math.checkVisibility());
  if (formulas.length === 0) found.push('there are no formulas');
  for (const math of formulas) {
    const { height, width } = math.getBoundingClientRect();
    const around = math.closest('.scroll, .shown, .formula') ? null : math.closest('article, section');
    if (around && math.getBoundingClientRect().right > around.getBoundingClientRect().right + 1) {
      found.push(`a formula sticks out: ${math.textContent.slice(0, 80)}`);
    }
    if (!(height > 4 && width > 2)) found.push(`a formula cannot be seen: ${math.outerHTML.slice(0, 120)}`);
  }
  if (document.querySelector('merror, .unconverted')) found.push('a formula was not converted');
  return found;
}

/** Runs within the page: text against its ground. */
function contrast(least) {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number).map((v) => v / 255).map((v) =>
      v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let up = element; up; up = up.parentElement) {
      const colour = getComputedStyle(up).backgroundColor;
      if (colour !== 'rgba(0, 0, 0, 0)') return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = new Map();
  for (const element of document.querySelectorAll('body *:not(svg *, math *)')) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!own) continue;
    const pair = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < least) found.set(`${element.localName}.${element.className}`, ratio.toFixed(2));
  }
  return [...found].map(([where, ratio]) => `contrast of ${where} is ${ratio}`);
}

/** The choice of verdicts, and links to claims that it hides. */
async function choose(page) {
  const found = [];
  const shown = () => page.evaluate(() =>
    [...document.querySelectorAll('.claim')].filter((claim) => claim.checkVisibility()).map((claim) => claim.id));
  const all = await shown();
  for (const verdict of ['by-definition', 'proved', 'confirmed', 'refuted', 'undecided']) {
    const choice = page.locator(`#only-${verdict}`);
    if (await choice.count() === 0) continue;
    await choice.check();
    const expected = await page.evaluate((of) => [...document.querySelectorAll(`.claim.${of}`)].map((c) => c.id), verdict);
    const left = await shown();
    if (left.join() !== expected.join()) found.push(`choosing ${verdict} shows ${left.length} of ${expected.length}`);
    const hidden = all.find((id) => !expected.includes(id));
    if (hidden) {
      await page.evaluate((id) => { location.hash = id; }, hidden);
      if (!(await shown()).includes(hidden)) found.push(`a link does not lead to ${hidden} where only ${verdict} is shown`);
      await page.evaluate(() => { location.hash = ''; });
    }
  }
  await page.locator('#only-all').check();
  return found;
}

/** Prints a page; returns what is wrong with that. */
async function printed(browser, file) {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
  await page.emulateMedia({ media: 'print' });
  // As wide as what an A4 page has between its margins.
  await page.setViewportSize({ width: 688, height: 1000 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.close();
  const found = [];
  if (pdf.subarray(0, 5).toString() !== '%PDF-' || pdf.length < LEAST_PDF) found.push(`printing gives ${pdf.length} bytes`);
  if (wide > 0) found.push(`printed, the page is ${wide} px too wide`);
  return found;
}

/** What the checks must find; each is put at the end of the page. */
const BROKEN = [
  ['<div style="width: 2000px">wide</div>', /px wide/],
  ['<script>console.error("broken")</script>', /console: broken/],
  ['<script>throw new Error("thrown")</script>', /error: thrown/],
  ['<img src="nosuch.png" alt=""/>', /request failed/],
  ['<figure id="empty"><svg width="0" height="0"></svg></figure>', /figure empty/],
  ['<math><mspace width="0"/></math>', /formula cannot be seen/],
  ['<section><math><mspace width="380px"/><mi>x</mi></math></section>', /sticks out/],
  ['<p style="color: #999; background: #aaa">faint</p>', /contrast/],
];

const folder = resolve(process.argv[2] ?? 'report');
const file = join(folder, 'index.html');
const scratch = mkdtempSync(join(tmpdir(), 'report-'));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
let failed = 0;
const tell = (where, found) => {
  found.slice(0, 10).forEach((what) => console.error(`${where}: ${what}`));
  failed += found.length;
};
try {
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) tell(`${width} px, ${scheme}`, await faults(browser, file, { width, scheme }));
  }
  tell('print', await printed(browser, file));
  // Without its claims, which take time.
  const short = readFileSync(file, 'utf8').replace(/<section id="claims"[^]*<section id="again"/, '<section id="again"');
  for (const [k, [broken, expected]] of BROKEN.entries()) {
    const bad = join(scratch, `${k}.html`);
    writeFileSync(bad, short.replace('</main>', `${broken}</main>`));
    const found = await faults(browser, bad, { width: WIDTHS[0], scheme: 'light' });
    if (!found.some((what) => expected.test(what))) tell(broken, [`not noticed: ${found}`]);
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true });
}
console.log(failed === 0 ? 'The report is fine in Chromium.' : `${failed} faults`);
process.exit(failed === 0 ? 0 : 1);
