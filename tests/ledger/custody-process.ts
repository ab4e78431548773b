// Custody in a process of its own, to be killed: creates users, activates their wallets and covers an order of each, as
// fast as it can, until somebody ends it. What it has to know of the world is in SURROUNDINGS.

import { startProcess } from './custody-fixture.ts';

const AT_ONCE = 30;

const server = await startProcess({ after() {} }, JSON.parse(process.env.SURROUNDINGS!), {
  fill: null,
  fundWaitMs: 60_000,
});
await server.sender.resumeAll();
await server.activation.sweep();

const work = async (): Promise<never> => {
  for (;;) {
    const wallet = await server.user();
    const covered = await server.fundWallet(wallet.id, '5.00', { reference: `opn_${wallet.id}` });
    if (covered.kind === 'yes') await server.endOperation(covered.id);
  }
};

await Promise.all(Array.from({ length: AT_ONCE }, work));
