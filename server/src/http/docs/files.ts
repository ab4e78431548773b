// The files of the documentation: pages, pictures and drawn diagrams, found once. A request is a lookup in these tables and never a
// path on the disk, so no request can read another file.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export type PageFile = {
  /** The address below /docs/; the home page has an empty one. */
  readonly name: string;
  /** The path in the repository, from which the links of the page are resolved. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
};

export type DocsFiles = {
  readonly pages: ReadonlyMap<string, PageFile>;
  /** The address below /docs/pictures/ and the file. */
  readonly pictures: ReadonlyMap<string, string>;
  /** The drawings of diagrams, by the hash of their source. */
  readonly diagrams: ReadonlyMap<string, string>;
};

/** Beside the folder of the documentation, with their addresses. */
const BESIDE: Readonly<Record<string, string>> = { 'CHANGELOG.md': 'changelog', 'CONTRIBUTING.md': 'contributing' };
const DIAGRAMS = 'pictures/diagrams/';
const PICTURE = /^pictures\/([\w-]+\.(?:png|svg|jpg|webp))$/;
const FILES_MAX = 1_000;

/** The address of a page below /docs/, from its path in the repository; null for another file. */
export const nameOfPath = (file: string): string | null => {
  const beside = BESIDE[file];
  if (beside !== undefined) return beside;
  // The page of the repository says where the documentation is.
  if (file === 'README.md' || file === 'docs') return '';
  if (!file.startsWith('docs/')) return null;
  const inside = file.slice('docs/'.length).replace(/\/$/, '');
  if (inside.endsWith('.md')) return inside.slice(0, -'.md'.length).replace(/(^|\/)README$/, '');
  return path.extname(inside) === '' ? inside : null;
};

const titleOf = (text: string, name: string): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '').trim() ?? name;

const readPage = async (root: string, file: string): Promise<PageFile | null> => {
  const text = await readFile(path.join(root, file), 'utf8').catch(() => null);
  const name = nameOfPath(file);
  return text === null || name === null ? null : { name, path: file, title: titleOf(text, name), text };
};

/** A folder of pages without a page of its own gets a list of them. */
const listOf = (folder: string, pages: readonly PageFile[]): PageFile => {
  const title = folder.charAt(0).toUpperCase() + folder.slice(1);
  const lines = pages.map(({ path: file, title: named }) => `- [${named}](${path.posix.basename(file)})`);
  return { name: folder, path: `docs/${folder}/README.md`, title, text: `# ${title}\n\n${lines.join('\n')}\n` };
};

/** Without docs/README.md the home page is a list of all pages. */
const homeOf = (pages: readonly PageFile[]): PageFile => {
  const lines = pages.map(({ path: file, title }) => `- [${title}](${path.posix.relative('docs', file)})`);
  const text = `# Documentation\n\n## Pages\n\n${lines.join('\n')}\n`;
  return { name: '', path: 'docs/README.md', title: 'Documentation', text };
};

const withLists = (pages: readonly PageFile[]): PageFile[] => {
  const inFolders = pages.filter(({ name }) => name.includes('/'));
  const byFolder = Map.groupBy(inFolders, ({ name }) => name.slice(0, name.indexOf('/')));
  const lists = [...byFolder].filter(([folder]) => !pages.some(({ name }) => name === folder));
  const complete = [...pages, ...lists.map(([folder, inside]) => listOf(folder, inside))];
  const isShown = ({ name }: PageFile): boolean => !name.includes('/');
  return complete.some(({ name }) => name === '') ? complete : [homeOf(complete.filter(isShown)), ...complete];
};

const readDiagrams = async (folder: string, names: readonly string[]): Promise<Map<string, string>> => {
  const drawn = names.filter((name) => name.startsWith(DIAGRAMS) && name.endsWith('.svg'));
  const read = async (name: string): Promise<[string, string]> => [
    path.basename(name, '.svg'),
    await readFile(path.join(folder, name), 'utf8'),
  ];
  return new Map(await Promise.all(drawn.map(read)));
};

/** Null: the folder is not part of this installation. */
export const readDocs = async (folder: string): Promise<DocsFiles | null> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return null;
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort()
    .slice(0, FILES_MAX);
  const root = path.dirname(folder);
  const texts = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  const pages = await Promise.all([...texts, ...Object.keys(BESIDE)].map((file) => readPage(root, file)));
  const found = withLists(pages.filter((page) => page !== null));
  const pictures = names.flatMap((name): [string, string][] => {
    const picture = PICTURE.exec(name)?.[1];
    return picture === undefined ? [] : [[picture, path.join(folder, name)]];
  });
  return {
    pages: new Map(found.map((page) => [page.name, page])),
    pictures: new Map(pictures),
    diagrams: await readDiagrams(folder, names),
  };
};
