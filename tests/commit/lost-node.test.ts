// A machine of a distributed database does not answer: its marketplaces are refused at once, and the lane serves all others.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { type Fixture, openDistributed, replyOf } from './fixture.ts';
import { interceptStatements, raise } from './intercept.ts';

const LOCKED = 'lock-head';
const NODE_DOES_NOT_ANSWER = raise('08006');

const USER = { baseCurrency: 'USD', email: null, type: 'BOTH', metadata: {} } as const;

let users = 0;
const addUser = async (fixture: Fixture, marketplaceId: string): Promise<string> =>
  replyOf(await fixture.submit(createUser, { ...USER, externalUserId: `user-${++users}` }, { marketplaceId })).user.id;

/** A lane whose machine fails the next locks of heads so many times. */
const openFailing = async (t: TestContext) => {
  let failures = 0;
  let connections = 0;
  const intercept = (client: pg.Client): void => {
    connections++;
    interceptStatements(client, (label, send) => {
      if (label !== LOCKED || failures === 0) return send();
      failures--;
      return send(NODE_DOES_NOT_ANSWER);
    });
  };
  const fixture = await openDistributed(t, { lanes: 1, intercept });
  return {
    fixture,
    fail: (times: number) => {
      failures = times;
    },
    connections: () => connections,
  };
};

test('a machine that was started again is found with the second attempt', async (t) => {
  const { fixture, fail } = await openFailing(t);
  fail(1);
  assert.match(await addUser(fixture, 'mkt_restarted'), /^usr_/);
});

test('a command whose machine does not answer is refused after two attempts, on the same connection, and others go on', async (t) => {
  const { fixture, fail, connections } = await openFailing(t);
  await addUser(fixture, 'mkt_other');
  const before = connections();
  fail(2);
  const [lost, other] = await Promise.allSettled([addUser(fixture, 'mkt_lost'), addUser(fixture, 'mkt_other')]);
  assert.equal(lost.status === 'rejected' && lost.reason.code, 'SERVICE_UNAVAILABLE');
  assert.equal(other.status, 'fulfilled');
  assert.equal(connections(), before, 'the connection to the database goes on');
  assert.match(await addUser(fixture, 'mkt_lost'), /^usr_/);
});
