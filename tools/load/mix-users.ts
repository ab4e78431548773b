// Work of the mix that makes people and lets them in: users of the API, accounts of Surface B with their password, keys that
// are used for a while and revoked.

import { Holdfast } from '@holdfast/sdk';
import { retryUntil } from '../simulation/retry.ts';
import { textOf } from '../simulation/scenarios/scenarios.ts';
import type { Context } from './clients.ts';

const GRANT_CENTS = 100_000_000;
const TREASURY = { USDC: '50000000.00', XLM: '1000000.00' } as const;
const PASSWORD = 'correct horse battery staple';

/** Where the user's wallet is, once the ledger has it. */
const addressOf = async (context: Context, userId: string): Promise<string> => {
  // The first request for the address puts the wallet on the ledger.
  await context.reads.wallets.deposit(userId);
  await retryUntil(async () => (await context.reads.wallets.get(userId)).isActive, `the wallet of ${userId} is active`);
  return (await context.reads.wallets.get(userId)).publicKey;
};

/** Without an address: the treasury that funds new wallets may not exist yet. */
const makeUser = async (context: Context): Promise<string> => {
  const name = context.name('person');
  const { id } = await context.money.users.create({ externalUserId: name, email: `${name}@shop.example` });
  const reference = context.name('grant');
  await context.money.balances.credit(id, { amount: textOf(GRANT_CENTS), reference });
  context.userBalances.credited(id, { reference, cents: GRANT_CENTS });
  return id;
};

export const newUser = async (context: Context): Promise<void> => {
  const id = await makeUser(context);
  const address = context.fixture.simulators ? await addressOf(context, id) : '';
  context.users.push({ id, address });
};

/** The first user brings the treasury with it; what an operator would pay in there comes from the simulators. */
export const fillTreasury = async (context: Context): Promise<void> => {
  await makeUser(context);
  let address = '';
  // It is made a moment after the user.
  const isMade = async (): Promise<boolean> => {
    address = await context.reads.wallets.treasuryDeposit().then(
      (deposit) => deposit.address,
      () => '',
    );
    return address !== '';
  };
  await retryUntil(isMade, 'the treasury is made');
  for (const [asset, amount] of Object.entries(TREASURY)) {
    const isPaid = (): Promise<boolean> =>
      context.sendControl('POST /faucet', { address, asset, amount }).catch(() => false);
    await retryUntil(isPaid, 'the treasury is filled');
  }
};

export const register = async (context: Context): Promise<void> => {
  const email = `${context.name('visitor')}@home.example`;
  await context.visit().register({ email, password: PASSWORD, name: 'Visitor' });
  context.visitors.push({ email, password: PASSWORD });
};

export const login = async (context: Context): Promise<void> => {
  const visitor = context.visit();
  await visitor.login(context.random.pick(context.visitors));
  await visitor.balances();
  await visitor.projects({ limit: 10 }).page();
};

/** A program that gets a key of its own, works with a token of it, and is then shut out. */
export const passingKey = async (context: Context): Promise<void> => {
  const { url, masterKey } = context.fixture;
  const master = new Holdfast({ url, apiKey: masterKey, maxRetries: 0 });
  const { id, key } = await master.keys.create({ name: context.name('key'), scopes: ['read'] });
  const { token } = await new Holdfast({ url, apiKey: key }).keys.token(id);
  await new Holdfast({ url, apiKey: token }).keys.me();
  await master.keys.revoke(id);
  const { status } = await context.fetch('wrong', 'GET /api/v1/orders', { headers: context.bearer(token) });
  if (status !== 401) throw new Error(`a token of a revoked key was answered with ${status}`);
};
