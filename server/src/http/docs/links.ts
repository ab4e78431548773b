// The links between the pages: written as relative links between files, which work in the repository, and served as addresses.

import path from 'node:path';
import { nameOfPath } from './files.ts';

const ROOT = '/docs/';
const PICTURES = 'docs/pictures/';

export const addressOf = (name: string): string => ROOT + name;

const ELSEWHERE = /^(?:https?:|mailto:)/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

export type Link = { readonly href: string; readonly isElsewhere: boolean };

/** Null: the link names a file of the repository that is no page, or an address that no page may have. */
export const resolveLink = (href: string, from: { readonly path: string }): Link | null => {
  if (ELSEWHERE.test(href)) return { href, isElsewhere: true };
  if (SCHEME.test(href)) return null;
  if (href.startsWith('#') || href.startsWith('/')) return { href, isElsewhere: false };
  const [file = '', anchor] = href.split('#', 2);
  const target = path.posix.join(path.posix.dirname(from.path), file);
  const name = target.startsWith(PICTURES) ? target.slice('docs/'.length) : nameOfPath(target);
  if (name === null) return null;
  return { href: addressOf(name) + (anchor === undefined ? '' : `#${anchor}`), isElsewhere: false };
};
