// Colours the code of the pages where it is rendered, so that no script has to do it in the browser.

import { createRequire } from 'node:module';
import { escaped } from './text.ts';

/** The part of the library that is used. Its own types would add those of browsers to the whole server. */
type Highlighter = {
  registerLanguage(name: string, language: unknown): void;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
};

const load = createRequire(import.meta.url);
const highlighter = load('highlight.js/lib/core') as Highlighter;
for (const name of ['bash', 'ini', 'json', 'shell', 'sql', 'typescript', 'yaml']) {
  highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));
}

/** The names that the pages use. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'bash',
  sh: 'bash',
  console: 'shell',
  ini: 'ini',
  env: 'ini',
  json: 'json',
  sql: 'sql',
  ts: 'typescript',
  tsx: 'typescript',
  js: 'typescript',
  yaml: 'yaml',
};

/** Longer code is shown without colours. */
const LENGTH_MAX = 20_000;

export const highlighted = (code: string, name: string): string => {
  const language = LANGUAGES[name];
  if (language === undefined || code.length > LENGTH_MAX) return escaped(code);
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
};
