// The documentation as a site: each page is rendered at its first request and kept. Nothing is read before the first request, so that the
// start of the server does not wait for it.

import path from 'node:path';
import { type Asset, addressesOf, readAssets } from './assets.ts';
import { type DocsFiles, readDocs } from './files.ts';
import { layOut, type PageParts } from './layout.ts';
import { type Group, navigationOf, stepsOf } from './navigation.ts';
import { renderPage } from './render.ts';
import { createSearch, type Search } from './search.ts';

export const DOCS_FOLDER = path.resolve(import.meta.dirname, '../../../../docs');

export type DocsSite = {
  readonly files: DocsFiles;
  readonly groups: readonly Group[];
  readonly assets: ReadonlyMap<string, Asset>;
  /** The whole page as HTML; null when there is no such page. */
  page(name: string): string | null;
  /** A page of the site that is no file. */
  frame(parts: Pick<PageParts, 'title' | 'html' | 'query'>): string;
  search(): Promise<Search>;
};

/** Null: the documentation is not part of this installation. */
export const openDocsSite = async (folder: string): Promise<DocsSite | null> => {
  const files = await readDocs(folder);
  if (files === null) return null;
  const assets = await readAssets();
  const addresses = addressesOf(assets);
  const groups = navigationOf(files);
  const rendered = new Map<string, string>();
  let searching: Promise<Search> | undefined;

  const render = (name: string): string | null => {
    const file = files.pages.get(name);
    if (file === undefined) return null;
    const { html, headings } = renderPage(file, files.diagrams);
    const { title } = file;
    return layOut({ title, name, html, headings, groups, steps: stepsOf(name, files) }, addresses);
  };

  return {
    files,
    groups,
    assets,
    page(name) {
      const html = rendered.get(name) ?? render(name);
      if (html !== null) rendered.set(name, html);
      return html;
    },
    frame: (parts) =>
      layOut({ ...parts, name: null, headings: [], groups, steps: { before: null, after: null } }, addresses),
    search() {
      searching ??= createSearch(files);
      return searching;
    },
  };
};
