// A whole server, a client with a direct connection, and a client behind a proxy that can inject faults.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type AnyHoldfastError, type ClientOptions, Holdfast, HoldfastError } from '@holdfast/sdk';
import type { Env } from '../../server/src/config/config.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { openApp, openPeopleApp } from '../support/shared-app.ts';
import { type Line, openLine } from './line.ts';

export type Fixture = {
  /** The test that opened the fixture. */
  readonly t: TestContext;
  readonly app: TestApp;
  readonly line: Line;
  readonly apiKey: string;
  /** Connects to the server directly. */
  readonly client: Holdfast;
  /** Connects through the proxy. */
  readonly shaky: Holdfast;
  /** With the master key. */
  readonly master: Holdfast;
  /** Another client through the proxy. */
  over(options?: Partial<ClientOptions>): Holdfast;
};

/** In a new marketplace of the shared server, without or with the sandbox. Faults end with the test. */
export const openFixture = async (t: TestContext, { sandbox = false } = {}): Promise<Fixture> => {
  const fixture = await fixtureBefore(t, await openApp(t, { sandbox }));
  if (sandbox) afterwards(t, () => fixture.client.sandbox.clearFaults());
  return fixture;
};

/** In the marketplace of Surface B, which other tests of Surface B use too. */
export const openPeopleFixture = async (t: TestContext, options: { sandbox?: boolean } = {}): Promise<Fixture> =>
  fixtureBefore(t, await openPeopleApp(t, options));

/** With a server of the test's own, whose clock and settings the test may change. */
export const openOwnFixture = async (
  t: TestContext,
  options: { env?: Env; sandbox?: boolean } = {},
): Promise<Fixture> => fixtureBefore(t, await startApp(t, options));

const fixtureBefore = async (t: TestContext, app: TestApp): Promise<Fixture> => {
  const apiKey = await app.key(['*']);
  const line = await openLine(t, app.url);
  const over = (more: Partial<ClientOptions> = {}) => new Holdfast({ url: line.url, apiKey, ...more });
  return {
    t,
    app,
    line,
    apiKey,
    over,
    client: new Holdfast({ url: app.url, apiKey }),
    shaky: over(),
    master: new Holdfast({ url: app.url, apiKey: MASTER_KEY }),
  };
};

let made = 0;

export const aUser = async (client: Holdfast, available?: string): Promise<string> => {
  const { id } = await client.users.create({ externalUserId: `user-${++made}` });
  if (available) await client.balances.credit(id, { amount: available });
  return id;
};

/** A buyer with money and a seller, as the beginning of an order. */
export const parties = async (client: Holdfast, available = '500.00') => ({
  buyerId: await aUser(client, available),
  sellerId: await aUser(client),
  amount: '100.00',
});

/** The error that the SDK throws; anything else fails. */
export const failureOf = async (work: Promise<unknown>): Promise<AnyHoldfastError> => {
  const error = await work.then(
    () => assert.fail('the call must fail'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof HoldfastError, String(error));
  return error;
};
