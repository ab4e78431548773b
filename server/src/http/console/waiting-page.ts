// The page at /console while there is no built console: the build is running, or it failed.

import { hash } from 'node:crypto';

const STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-content:center;font:16px/1.5 system-ui,sans-serif;' +
  'background:light-dark(#f6f6f3,#14171a);color:light-dark(#1c2024,#e6e8ea);color-scheme:light dark}' +
  'main{max-width:32rem;padding:2rem}h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0 0 .5rem}';

const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'`;

const BUILDING = {
  head: '<meta http-equiv="refresh" content="2">',
  title: 'The console is being built',
  text: '<p>This takes a few seconds after an update. The page reloads automatically when the console is ready.</p>',
};

const MISSING = {
  head: '',
  title: 'The console is not built',
  text:
    '<p>The API works; only this page is missing. Run <code>npm run console:build</code> in the project folder, or read ' +
    'in the server log why the build failed, then reload.</p>',
};

export const waitingPage = (isBuilding: boolean): { html: string; policy: string } => {
  const { head, title, text } = isBuilding ? BUILDING : MISSING;
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}` +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<style>${STYLE}</style></head><body><main role="status"><h1>${title}</h1>${text}</main></body></html>`;
  return { html, policy: POLICY };
};
