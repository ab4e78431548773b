// The style and the scripts of the documentation, read once. Their addresses carry a hash of the content, so that browsers keep them.

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AssetAddresses } from './layout.ts';

export type Asset = { readonly type: string; readonly text: string; readonly version: string };

const ROOT = '/docs/assets/';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

const TOKENS = fileURLToPath(new URL('../../../../contract/src/look/tokens.css', import.meta.url));

const own = (name: string): string => fileURLToPath(new URL(`./browser/${name}`, import.meta.url));
const packaged = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));

/** Each asset with its files, which are joined. */
const sources = (): Readonly<Record<string, { readonly type: string; readonly files: readonly string[] }>> => ({
  'docs.css': {
    type: STYLE,
    files: [TOKENS, own('frame.css'), own('bar.css'), own('article.css')],
  },
  'reference.css': { type: STYLE, files: [TOKENS, own('bar.css'), own('reference.css')] },
  'theme.js': { type: SCRIPT, files: [own('theme.js')] },
  'docs.js': { type: SCRIPT, files: [own('docs.js')] },
  'search.js': { type: SCRIPT, files: [own('search.js')] },
  'excerpt.js': { type: SCRIPT, files: [own('excerpt.js')] },
  'find.js': { type: SCRIPT, files: [own('find.js')] },
  'minisearch.js': { type: SCRIPT, files: [packaged('minisearch')] },
  'favicon.svg': { type: 'image/svg+xml', files: [own('favicon.svg')] },
});

const read = async (files: readonly string[]): Promise<string> => {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  // The map of the package is not served.
  return texts.join('\n').replace(/^\/\/# sourceMappingURL=.*$/m, '');
};

export const readAssets = async (): Promise<ReadonlyMap<string, Asset>> => {
  const entries = Object.entries(sources()).map(async ([name, { type, files }]): Promise<[string, Asset]> => {
    const text = await read(files);
    return [name, { type, text, version: hash('sha256', text, 'hex').slice(0, 12) }];
  });
  return new Map(await Promise.all(entries));
};

export const addressesOf = (assets: ReadonlyMap<string, Asset>): AssetAddresses => {
  const addressOf = (name: string): string => `${ROOT}${name}?v=${assets.get(name)!.version}`;
  return {
    style: addressOf('docs.css'),
    referenceStyle: addressOf('reference.css'),
    theme: addressOf('theme.js'),
    script: addressOf('docs.js'),
  };
};
