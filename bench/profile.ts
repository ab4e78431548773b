// Records where this process spends its time, writes it where Chrome's developer tools can open it, and lists the
// functions that took most.

import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import os from 'node:os';
import path from 'node:path';

const TOP = 15;
const SAMPLE_EVERY_MICROS = 200;

type Frame = { functionName: string; url: string; lineNumber: number };
type Profile = { nodes: { id: number; callFrame: Frame }[]; samples?: number[] };

const place = ({ functionName, url, lineNumber }: Frame): string =>
  `${functionName || '(anonymous)'} ${url === '' ? '' : `${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`}`.trim();

const topOf = ({ nodes, samples = [] }: Profile): string[] => {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, place(callFrame)]));
  const counts = new Map<string, number>();
  for (const id of samples) counts.set(places.get(id)!, (counts.get(places.get(id)!) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, TOP)
    .map(([name, count]) => `${((100 * count) / samples.length).toFixed(1).padStart(5)} %  ${name}`);
};

/** Of a process that wrote its profile into a folder of its own when it ended. */
export const topOfFolder = async (folder: string): Promise<string[]> => {
  const [file] = await readdir(folder);
  return file === undefined ? [] : topOf(JSON.parse(await readFile(path.join(folder, file), 'utf8')));
};

export const profile = async (work: () => Promise<unknown>): Promise<{ file: string; top: string[] }> => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_MICROS });
  await session.post('Profiler.start');
  await work();
  const { profile: recorded } = await session.post('Profiler.stop');
  session.disconnect();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-profile-'));
  const file = path.join(folder, 'committer.cpuprofile');
  await writeFile(file, JSON.stringify(recorded));
  return { file, top: topOf(recorded) };
};
