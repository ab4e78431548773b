// `npm run fuzz -- --seed N --requests M`: a campaign of generated requests against a whole server, its simulators and a
// database of its own. Says what it found; ends with 1 when anything was. The same seed sends the same requests, and in
// the same order unless several are under way at once.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runWithCleanUp, stopAfterwards } from '../server/src/programs/interruption.ts';
import { scriptCommand, whole } from '../server/src/programs/script-command.ts';
import { prepareTemplate, startTestPostgres } from '../tools/test-database/template.ts';

const { seed, requests, atOnce } = scriptCommand(
  'fuzz',
  'Sends generated requests to a server with its own database, and checks every answer and the books.',
)
  .option('--seed <number>', 'seed of the requests', whole({ from: 0 }), Date.now() % 1_000_000)
  .option('--requests <number>', 'number of requests', whole({ from: 1 }), 10_000)
  .option('--at-once <number>', 'concurrent requests', whole({ from: 1, to: 1_000 }), 1)
  .parse()
  .opts<{ seed: number; requests: number; atOnce: number }>();

await runWithCleanUp(async (cleanUp) => {
  // Everything that is made goes here, so an interrupted run leaves nothing.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-fuzz-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  await chmod(folder, 0o711);
  process.env.TMPDIR = folder;
  const postgres = await stopAfterwards(cleanUp, startTestPostgres());
  process.env.TEST_POSTGRES = JSON.stringify(await prepareTemplate(postgres.connection));
  // Loaded now: its database is made in the PostgreSQL that was just started.
  const { runCampaign } = await import('../tools/fuzz/campaign.ts');
  const { reportText, wrongIn } = await import('../tools/fuzz/report.ts');
  const begun = performance.now();
  const campaign = await runCampaign({
    seed,
    requests,
    atOnce,
    onProgress(done, findings) {
      if (done % 500 === 0) process.stderr.write(`${done} of ${requests} requests, ${findings} findings\n`);
    },
  });
  const command = `npm run fuzz -- --seed ${seed} --requests ${requests}${atOnce > 1 ? ` --at-once ${atOnce}` : ''}`;
  console.log(reportText(campaign, { seed, command, seconds: (performance.now() - begun) / 1_000 }));
  process.exitCode = wrongIn(campaign).length === 0 ? 0 : 1;
});
