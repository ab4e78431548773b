// `npm run check:image`: builds and starts the container image without Docker, in a temporary folder, and says which steps of
// deploy/Dockerfile were carried out and which were left out. Exits with 1 when a step fails or a page does not answer.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkImage } from '../tools/release/check-image.ts';

const place = mkdtempSync(path.join(os.tmpdir(), 'holdfast-image-'));
// The account of the image has to be able to enter it.
chmodSync(place, 0o711);
try {
  const { image, pages, exitCode } = await checkImage(place, (line) => console.log(`  ${line.slice(0, 140)}`));
  const skipped = image.steps.filter((step) => step.skipped !== null);
  console.log(`\nCarried out: ${image.steps.length - skipped.length} of ${image.steps.length} steps. Left out:`);
  for (const { step, skipped: reason } of skipped) console.log(`  ${step.slice(0, 60)}: ${reason}`);
  for (const [page, status] of Object.entries(pages))
    console.log(`${status === 200 ? '✓' : '✗'} ${page} answers ${status}`);
  console.log(`${exitCode === 0 ? '✓' : '✗'} the server ended with ${exitCode} after SIGTERM`);
  process.exitCode = exitCode === 0 && Object.values(pages).every((status) => status === 200) ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
