// `npm run fuzz -- --seed N --requests M`: a campaign of generated requests against a whole server, its twins and a
// database of its own. Says what it found; ends with 1 when anything was. The same seed sends the same requests, and in
// the same order unless several are under way at once.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { prepareTemplate, startTestPostgres } from '../tests/support/template.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    requests: { type: 'string', default: '10000' },
    'at-once': { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const [seed, requests, atOnce] = [Number(values.seed), Number(values.requests), Number(values['at-once'])];

if (values.help || ![seed, requests, atOnce].every(Number.isSafeInteger)) {
  console.log('npm run fuzz -- [--seed N] [--requests M] [--at-once K]');
  process.exit(values.help ? 0 : 2);
}

// Everything that is made goes here, so an interrupted run leaves nothing.
const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-fuzz-'));
await chmod(folder, 0o711);
process.env.TMPDIR = folder;
const postgres = await startTestPostgres();
try {
  process.env.TEST_POSTGRES = JSON.stringify(await prepareTemplate(postgres.connection));
  // Loaded now: its database is made in the PostgreSQL that was just started.
  const { runCampaign } = await import('../tests/fuzz/campaign.ts');
  const { reportText, wrongIn } = await import('../tests/fuzz/report.ts');
  const begun = performance.now();
  const campaign = await runCampaign({
    ...{ seed, requests, atOnce },
    onProgress(done, findings) {
      if (done % 500 === 0) process.stderr.write(`${done} of ${requests} requests, ${findings} findings\n`);
    },
  });
  const command = `npm run fuzz -- --seed ${seed} --requests ${requests}${atOnce > 1 ? ` --at-once ${atOnce}` : ''}`;
  console.log(reportText(campaign, { seed, command, seconds: (performance.now() - begun) / 1_000 }));
  process.exitCode = wrongIn(campaign).length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
