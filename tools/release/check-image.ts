// Checks the container image without Docker: carries out the steps of deploy/Dockerfile in an empty folder, starts the command of the
// image with its settings and its account, asks its health check and the pages, and stops it.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../until.ts';
import { type Image, runDockerfile } from './run-dockerfile.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGES = ['/api/v1/health', '/console', '/docs', '/docs/errors', '/docs/openapi.json'];
const READY_MS = 120_000;

type Checked = {
  readonly image: Image;
  /** The status of each page. */
  readonly pages: Readonly<Record<string, number>>;
  /** What the process ended with after the signal of the image. */
  readonly exitCode: number | null;
};

const freePort = async (): Promise<number> => {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const statusOf = async (url: string): Promise<number> => {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
};

/** Starts the image as `docker run` does, with other ports only. */
const tryOut = async (image: Image): Promise<Checked> => {
  const port = await freePort();
  const settings = { PORT: String(port), SANDBOX_PORT: '0' };
  const child = image.start(settings);
  let said = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part: Buffer) => (said += part.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  try {
    await until(() => hasEnded() || image.isHealthy(settings), { what: 'the health check', deadlineMs: READY_MS });
    if (hasEnded()) throw new Error(`The command of the image ended with ${child.exitCode}:\n${said}`);
    const pages: Record<string, number> = {};
    for (const page of PAGES) pages[page] = await statusOf(`http://127.0.0.1:${port}${page}`);
    child.kill('SIGTERM');
    return { image, pages, exitCode: await ended };
  } finally {
    if (!hasEnded()) child.kill('SIGKILL');
  }
};

export const checkImage = (place: string, log?: (line: string) => void): Promise<Checked> =>
  tryOut(
    runDockerfile({
      dockerfile: readFileSync(path.join(ROOT, 'deploy/Dockerfile'), 'utf8'),
      ignore: readFileSync(path.join(ROOT, '.dockerignore'), 'utf8'),
      context: ROOT,
      place,
      ...(log ? { log } : {}),
    }),
  );
