// Work of the mix that makes people and lets them in: users of the API, accounts of Surface B with their password, keys that
// are used for a while and revoked.

import { Holdfast } from '@holdfast/sdk';
import { textOf } from '../simulation/lives.ts';
import { patiently } from '../simulation/patiently.ts';
import type { Desk } from './clients.ts';

const GRANT_CENTS = 100_000_000;
const TREASURY = { USDC: '50000000.00', XLM: '1000000.00' } as const;
const PASSWORD = 'correct horse battery staple';

/** Where the user's wallet is, once the ledger has it. */
const addressOf = async (desk: Desk, userId: string): Promise<string> => {
  await patiently(async () => (await desk.reads.wallets.get(userId)).isActive, `the wallet of ${userId} lives`);
  return (await desk.reads.wallets.get(userId)).publicKey;
};

/** Without an address: there may be nobody yet who brings wallets to life. */
const makeUser = async (desk: Desk): Promise<string> => {
  const name = desk.name('person');
  const { id } = await desk.money.users.create({ externalUserId: name, email: `${name}@shop.example` });
  const reference = desk.name('grant');
  await desk.money.balances.credit(id, { amount: textOf(GRANT_CENTS), reference });
  desk.purses.credited(id, { reference, cents: GRANT_CENTS });
  return id;
};

export const newUser = async (desk: Desk): Promise<void> => {
  const id = await makeUser(desk);
  const address = desk.stand.street ? await addressOf(desk, id) : '';
  desk.people.push({ id, address });
};

/** The first user brings the treasury with it; what an operator would pay in there comes from the twins. */
export const fillTreasury = async (desk: Desk): Promise<void> => {
  await makeUser(desk);
  let address = '';
  // It is made a moment after the user.
  const isMade = async (): Promise<boolean> => {
    address = await desk.reads.wallets.treasuryDeposit().then(
      (deposit) => deposit.address,
      () => '',
    );
    return address !== '';
  };
  await patiently(isMade, 'the treasury is made');
  for (const [asset, amount] of Object.entries(TREASURY)) {
    const isPaid = (): Promise<boolean> => desk.tell('POST /faucet', { address, asset, amount }).catch(() => false);
    await patiently(isPaid, 'the treasury is filled');
  }
};

export const register = async (desk: Desk): Promise<void> => {
  const email = `${desk.name('visitor')}@home.example`;
  await desk.visit().register({ email, password: PASSWORD, name: 'Somebody' });
  desk.visitors.push({ email, password: PASSWORD });
};

export const login = async (desk: Desk): Promise<void> => {
  const visitor = desk.visit();
  await visitor.login(desk.chance.pick(desk.visitors));
  await visitor.balances();
  await visitor.projects({ limit: 10 }).page();
};

/** A program that gets a key of its own, works with a token of it, and is then shut out. */
export const passingKey = async (desk: Desk): Promise<void> => {
  const { url, masterKey } = desk.stand;
  const master = new Holdfast({ url, apiKey: masterKey, maxRetries: 0 });
  const { id, key } = await master.keys.create({ name: desk.name('key'), scopes: ['read'] });
  const { token } = await new Holdfast({ url, apiKey: key }).keys.token(id);
  await new Holdfast({ url, apiKey: token }).keys.me();
  await master.keys.revoke(id);
  const { status } = await desk.fetch('wrong', 'GET /api/v1/orders', { headers: desk.bearer(token) });
  if (status !== 401) throw new Error(`a token of a revoked key was answered with ${status}`);
};
