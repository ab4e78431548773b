// Custody in a process of its own, to be killed: creates users, activates their wallets and covers an order of each, as
// fast as it can, until somebody ends it. What it has to know of the world is in SURROUNDINGS.

import { startProcess } from './custody-stand.ts';

const AT_ONCE = 30;

const house = await startProcess({ after() {} }, JSON.parse(process.env.SURROUNDINGS!), {
  fill: null,
  coverWaitMs: 60_000,
});
await house.purser.resumeAll();
await house.activation.sweep();

const work = async (): Promise<never> => {
  for (;;) {
    const wallet = await house.user();
    const covered = await house.cover(wallet.id, '5.00', { reference: `opn_${wallet.id}` });
    if (covered.kind === 'yes') await house.endOperation(covered.id);
  }
};

await Promise.all(Array.from({ length: AT_ONCE }, work));
