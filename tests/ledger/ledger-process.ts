// The ledger parts in a separate process that a test kills. It creates users, activates their wallets and funds an operation of
// each, as fast as it can. Its settings are in ENVIRONMENT.

import { startProcess } from './ledger-fixture.ts';

const AT_ONCE = 30;

const server = await startProcess({ after() {} }, JSON.parse(process.env.ENVIRONMENT!), {
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
