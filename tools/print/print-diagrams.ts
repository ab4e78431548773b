// Draws the diagrams of the pages, as docs/pictures/diagrams/<hash of the source>.svg. The drawing library is large and needed only when a diagram
// changes, so it is no package of the project. Run: npm install --prefix FOLDER mermaid@12.3.0,
// then CHROMIUM_PATH=… node tools/print/print-diagrams.ts FOLDER

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { diagramName } from '../../server/src/http/docs/render.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'docs/pictures/diagrams');
const LIBRARY = 'node_modules/mermaid/dist/mermaid.min.js';

/** The colours of the drawing and the tokens that replace them, each with its light value for a viewer without our style. */
const COLOURS: Readonly<Record<string, string>> = {
  'rgb(0, 0, 0)': 'var(--ink, #1a1f21)',
  'rgb(1, 1, 1)': 'var(--ink, #1a1f21)',
  'rgb(2, 2, 2)': 'var(--line-strong, #b9bcb2)',
  'rgb(3, 3, 3)': 'var(--accent-soft, #e0efec)',
  'rgb(4, 4, 4)': 'var(--surface, #ffffff)',
};

const THEME = {
  primaryColor: '#030303',
  primaryTextColor: '#010101',
  primaryBorderColor: '#020202',
  lineColor: '#010101',
  textColor: '#010101',
  background: '#040404',
  mainBkg: '#030303',
  nodeBorder: '#020202',
  edgeLabelBackground: '#040404',
  labelBackgroundColor: '#040404',
  transitionColor: '#010101',
  transitionLabelColor: '#010101',
  stateLabelColor: '#010101',
  stateBkg: '#030303',
  actorBkg: '#030303',
  actorBorder: '#020202',
  actorTextColor: '#010101',
  actorLineColor: '#020202',
  signalColor: '#010101',
  signalTextColor: '#010101',
  fontFamily: 'sans-serif',
  fontSize: '14px',
};

/** Runs in the page: draws, and turns every style into attributes, because the policy of the pages allows no inline styles. */
const DRAW = `async ({ id, source, theme, colours }) => {
  mermaid.initialize({ startOnLoad: false, theme: 'base', themeVariables: theme, htmlLabels: false, securityLevel: 'strict',
    flowchart: { htmlLabels: false }, state: { htmlLabels: false }, sequence: { htmlLabels: false } });
  const { svg } = await mermaid.render('d' + id, source);
  document.body.innerHTML = svg;
  const root = document.querySelector('svg');
  const COPIED = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-size', 'font-weight', 'font-style', 'text-anchor',
    'dominant-baseline', 'alignment-baseline', 'visibility', 'display'];
  const DEFAULTS = { 'fill-opacity': '1', 'stroke-width': '1px', 'stroke-dasharray': 'none', opacity: '1', 'font-weight': '400', 'font-style': 'normal',
    'text-anchor': 'start', 'dominant-baseline': 'auto', 'alignment-baseline': 'auto', visibility: 'visible', display: 'inline', stroke: 'none' };
  const SHAPES = 'path, line, polyline, polygon, rect, circle, ellipse, text, tspan';
  for (const each of root.querySelectorAll(SHAPES)) {
    const style = getComputedStyle(each);
    const values = COPIED.map((name) => [name, style.getPropertyValue(name)]);
    each.setAttribute('data-style', JSON.stringify(values));
  }
  for (const each of root.querySelectorAll(SHAPES)) {
    for (const [name, value] of JSON.parse(each.getAttribute('data-style'))) {
      each.removeAttribute(name);
      if (value !== '' && DEFAULTS[name] !== value && !(name.startsWith('font') && !each.matches('text, tspan')) && !(name === 'display' && value === 'block'))
        each.setAttribute(name, colours[value] ?? value);
    }
    each.removeAttribute('data-style');
  }
  for (const each of root.querySelectorAll('style, script, foreignObject, title, desc')) each.remove();
  for (const each of [root, ...root.querySelectorAll('*')]) {
    for (const { name } of [...each.attributes])
      if (name === 'style' || name === 'class' || name.startsWith('data-') || name.startsWith('aria-') || name === 'role') each.removeAttribute(name);
  }
  const { x, y, width, height } = root.viewBox.baseVal;
  root.setAttribute('width', Math.ceil(width));
  root.setAttribute('height', Math.ceil(height));
  root.setAttribute('viewBox', [x, y, width, height].map((each) => Math.round(each * 10) / 10).join(' '));
  root.setAttribute('font-family', 'inherit');
  root.setAttribute('aria-hidden', 'true');
  return root.outerHTML;
}`;

/** Every diagram of the pages. */
export const diagramSources = (): string[] => {
  const pages = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return pages.flatMap((name) => {
    const text = readFileSync(path.join(ROOT, 'docs', name), 'utf8');
    return [...text.matchAll(/^```mermaid\n(.*?)^```$/gms)].map(([, source]) => source!.trim());
  });
};

const drawAll = async (page: Page): Promise<void> => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const source of new Set(diagramSources())) {
    const id = diagramName(source);
    const svg = await page.evaluate<string>(
      `(${DRAW})(${JSON.stringify({ id, source, theme: THEME, colours: COLOURS })})`,
    );
    writeFileSync(path.join(FOLDER, `${id}.svg`), `${svg}\n`);
  }
};

const main = async (folder: string): Promise<void> => {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error('Set CHROMIUM_PATH to the Chromium that draws the diagrams.');
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ['--disable-gpu'],
  });
  const page = await browser.newPage();
  await page.setContent('<!doctype html><body></body>');
  await page.addScriptTag({ path: path.resolve(folder, LIBRARY) });
  await drawAll(page);
  await browser.close();
};

if (import.meta.main) await main(process.argv[2] ?? '.');
