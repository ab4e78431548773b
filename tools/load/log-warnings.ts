// What a server's log warned of: each sentence, and how often it was said.

import { readFile } from 'node:fs/promises';

const WARNING = 40;

type Line = { readonly level?: number; readonly msg?: string; readonly err?: { readonly message?: string } };

const parsed = (line: string): Line => {
  try {
    return JSON.parse(line) as Line;
  } catch {
    // The welcome, and what is no line of the log.
    return {};
  }
};

export const warningsIn = async (file: string): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    const { level = 0, msg = '', err } = parsed(line);
    if (level < WARNING) continue;
    const words = [msg, err?.message].filter(Boolean).join(': ');
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return counts;
};
