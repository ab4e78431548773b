// The project's own files as text, and what each of them imports. The tidy tests read the code the way a reviewer would;
// nothing here runs it.

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Import = {
  /** As written. */
  readonly specifier: string;
  /** Imports types only, which are removed when the program runs. */
  readonly typeOnly: boolean;
  /** Loaded while the program runs, with import(). */
  readonly later: boolean;
  /** The imported file, relative to the project's root; null for a package. */
  readonly target: string | null;
};

export type Source = { readonly path: string; readonly text: string; readonly imports: readonly Import[] };

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Next to the checkout on a development machine; missing elsewhere. */
export const SPEC = path.join(ROOT, '../shared/spec.md');

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;
const WORKSPACE = /^@holdfast\/([a-z]+)\//;

export const readText = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Files whose path fits one of the patterns, in order. */
export const filesOf = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: ROOT, exclude: (name) => name.includes('node_modules') })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();

export const sourcesOf = (...patterns: string[]): Source[] =>
  filesOf(...patterns).map((file) => {
    const text = readText(file);
    return { path: file, text, imports: importsOf(file, text) };
  });

/** The text without comments, so that a rule about code does not read prose. */
export const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

const importsOf = (file: string, text: string): Import[] => [
  ...[...text.matchAll(STATEMENT)].map(([, type, specifier]) => ({
    specifier: specifier!,
    typeOnly: type !== undefined,
    later: false,
    target: targetOf(file, specifier!),
  })),
  ...[...text.matchAll(DYNAMIC)].map(([, specifier]) => ({
    specifier: specifier!,
    typeOnly: false,
    later: true,
    target: targetOf(file, specifier!),
  })),
];

const targetOf = (file: string, specifier: string): string | null => {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  return WORKSPACE.test(specifier) ? specifier.replace(WORKSPACE, '$1/src/') : null;
};
