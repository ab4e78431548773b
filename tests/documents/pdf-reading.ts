// Reads the text of a PDF back with a tool that is not ours, and the cells of an HTML page.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const TOOL = 'pdftotext';

export const NO_TOOLS = `${TOOL} of poppler-utils is not installed`;

export const hasPdfTool = (): Promise<boolean> =>
  run(TOOL, ['-v']).then(
    () => true,
    () => false,
  );

/** The text of all pages, with the columns of tables beside each other. */
export const textOfPdf = async (bytes: Uint8Array): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-pdf-'));
  try {
    const file = path.join(folder, 'document.pdf');
    await writeFile(file, bytes);
    return (await run(TOOL, ['-layout', '-enc', 'UTF-8', file, '-'], { maxBuffer: 64 * 1024 * 1024 })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const plainOf = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!);

/** The cells of all table rows below the titles. */
export const rowsOfHtml = (html: string): string[][] =>
  [...html.matchAll(/<tr><td.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => plainOf(cell!)),
  );

/** The values of a label, such as `Available`, in their order. */
export const factsOfHtml = (html: string, label: string): string[] =>
  [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)]
    .filter(([, name]) => plainOf(name!) === label)
    .map(([, , value]) => plainOf(value!));
