// `demo`: a complete example in half a minute, followed by a map of where every cent is. It uses the server of the settings, or
// with --start a temporary server that leaves nothing behind.

import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Holdfast } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define } from '../define.ts';
import { EXIT, type ExitCode, failure } from '../failures.ts';
import { keptMasterKey } from '../profiles.ts';
import { action, type Run } from '../run.ts';
import { startServer } from '../server-process.ts';
import { runStory, type StepRunner } from '../story.ts';
import { isBalanced, showMoneyMap } from '../view/money-map.ts';
import { showProof } from '../view/proof.ts';

type DemoOptions = { readonly start?: boolean };

/** The variables that every program needs. The settings of a real server must not reach the demo. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'TMPDIR', 'LANG', 'TZ', 'SystemRoot', 'TEMP'];

const createStepRunner = ({ out, signal }: Run<DemoOptions>, client: Holdfast): StepRunner => ({
  client,
  signal,
  async step(title, work) {
    if (out.canRedraw) out.redraw(`${out.notePaint.dim('…')} ${title}`);
    const startedAt = performance.now();
    try {
      const { said, value } = await work();
      signal.throwIfAborted();
      const took = out.notePaint.dim(`${Math.round(performance.now() - startedAt)} ms`);
      if (out.canRedraw) out.redraw('');
      out.note(`${out.notePaint.green('✓')} ${title} ${took}`);
      out.note(out.notePaint.dim(`    ${said}`));
      return value;
    } catch (error) {
      if (out.canRedraw) out.redraw('');
      out.note(`${out.notePaint.red('✗')} ${title}`);
      throw error;
    }
  },
});

const play = async (run: Run<DemoOptions>, client: Holdfast): Promise<ExitCode> => {
  const { out } = run;
  if (!(await client.service.config()).sandbox) {
    throw failure('The demo moves play money, and this server has no sandbox. Use `holdfast demo --start`.');
  }
  const result = await runStory(createStepRunner(run, client));
  const money = await client.reports.money();
  const proof = await client.audit.proof();
  const holds = proof.holds && isBalanced(money);
  if (out.isJson) out.json({ ...result, money, proof });
  else {
    out.line('');
    out.line(out.paint.bold('Where every cent is'));
    out.line('');
    showMoneyMap(out, money);
    showProof(out, { proof, isSandbox: true });
    out.note(out.notePaint.dim(run.options.start ? '' : `\nDetails: holdfast orders show ${result.orders.released}`));
  }
  return holds ? EXIT.fine : EXIT.refused;
};

const playAlone = async (run: Run<DemoOptions>): Promise<ExitCode> => {
  const { out, signal } = run;
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'holdfast-demo-'));
  // PostgreSQL may run as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  out.note(out.notePaint.dim('Starting a temporary server…'));
  try {
    const server = await startServer({
      env: {
        ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
        DATA_DIR: folder,
        PORT: '0',
        SANDBOX_PORT: '0',
        DEPOSIT_POLL_S: '1',
      },
      signal,
      onLog() {},
    });
    try {
      const apiKey = (await keptMasterKey(folder)) ?? undefined;
      return await play(run, new Holdfast({ url: server.url, apiKey }));
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export const addDemoCommand = (program: Command): void => {
  define(program, {
    name: 'demo',
    what: 'run a complete example with play money, and show where every cent is',
    examples: ['holdfast demo', 'holdfast demo --start'],
  })
    .option('--start', 'use a temporary server, which is removed afterwards')
    .action(action<DemoOptions>((run) => (run.options.start ? playAlone(run) : play(run, run.client))));
};
