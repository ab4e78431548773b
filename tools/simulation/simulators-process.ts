// The simulators of the outside systems as a program that can be killed: they keep their state in a file and come back at the same
// port. Says where it is in one line of JSON. The first time it also makes a stranger whom the marketplaces can pay.

import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { ledgerOf, settle } from './ledger-accounts.ts';

const read = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
};

const webhookRelay = read('SIMULATORS_WEBHOOK_URL');
const sandbox = await startSandbox({ port: Number(read('SIMULATORS_PORT')), stateFile: read('SIMULATORS_STATE') });
sandbox.setWebhook({
  url: `${webhookRelay}/payment-provider`,
  secret: read('SIMULATORS_PAYMENT_SECRET'),
  spelling: read('SIMULATORS_SPELLING') === 'native' ? 'native' : 'neutral',
});
sandbox.setEscrowWebhook({ url: `${webhookRelay}/escrow-provider`, secret: read('SIMULATORS_ESCROW_SECRET') });
const stranger = process.env.SIMULATORS_STRANGER ?? (await settle(ledgerOf(sandbox))).publicKey();
const factories = sandbox.describe().escrowFactories;
console.log(`SIMULATORS ${JSON.stringify({ url: sandbox.url, urls: sandbox.urls, stranger, factories })}`);
