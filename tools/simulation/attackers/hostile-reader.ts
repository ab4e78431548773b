// A tenant with a `read` key that asks for the most expensive reads, many at once, and tries its key on records of other
// marketplaces and on writes. It may get the first or a refusal for load; of the others it must get nothing.

import { attempt } from './attempts.ts';
import type { Attack, Attacker } from './cast.ts';

const ATTACKER = 'hostile reader';
const AT_ONCE = 16;
const ROUNDS = 3;

const HEAVY = [
  '/audit/verify',
  '/audit/logs?limit=100&action=BALANCE_CREDITED',
  '/audit/logs?limit=100&from=2000-01-01T00:00:00Z',
  '/audit/proof',
  '/reports/money',
  '/reports/activity?days=90',
] as const;

/** How the API refuses work that is too much for now. */
const BUSY: readonly number[] = [429, 503];

const readHeavily = async (attack: Attack, at: number): Promise<void> => {
  const { readKey, userId } = attack.cast;
  const path = [...HEAVY, `/users/${userId}/statement?limit=100`][at % (HEAVY.length + 1)]!;
  const what = `GET ${path.split('?')[0]}`;
  const answer = await attempt(attack, { attacker: ATTACKER, what, method: 'GET', path, key: readKey });
  if (answer && answer.status !== 200 && !BUSY.includes(answer.status)) {
    attack.environment.journal.violate(`${ATTACKER}: ${what} was answered with ${answer.status} ${answer.text}`);
  }
};

/** Records of the first marketplace: their ids are no secret. */
const FOREIGN = `select id from users where marketplace_id = 'mkt_sim1' union all
  select id from orders where marketplace_id = 'mkt_sim1' order by id`;

type Try = { readonly method: 'GET' | 'POST'; readonly path: string; readonly status: number; readonly body?: object };

const triesOf = (id: string, ownUserId: string): Try[] => [
  ...(id.startsWith('ord_')
    ? ['', '/timeline'].map((part): Try => ({ method: 'GET', path: `/orders/${id}${part}`, status: 404 }))
    : ['/balance', '/statement'].map((part): Try => ({ method: 'GET', path: `/users/${id}${part}`, status: 404 }))),
  { method: 'POST', path: `/users/${ownUserId}/balance/credit`, status: 403, body: { amount: '1.00', reference: 'x' } },
];

const tryForeign = async (attack: Attack): Promise<void> => {
  const { environment, cast, random } = attack;
  const ids = (await environment.sql(FOREIGN).catch(() => [])).map((row) => String(row.id));
  if (ids.length === 0) return;
  for (const { status, ...one } of triesOf(random.pick(ids), cast.userId)) {
    const what = `${one.method} ${one.path.split('/').at(-1)} of another`;
    const answer = await attempt(attack, { attacker: ATTACKER, what, key: cast.readKey, ...one });
    if (answer && answer.status !== status && !BUSY.includes(answer.status)) {
      environment.journal.violate(
        `${ATTACKER}: ${one.method} ${one.path} was answered with ${answer.status}, not ${status}`,
      );
    }
  }
};

export const runHostileReader: Attacker = async (attack) => {
  for (let round = 0; round < ROUNDS; round++) {
    const reads = Array.from({ length: AT_ONCE }, (_, at) => readHeavily(attack, round * AT_ONCE + at));
    await Promise.all([...reads, tryForeign(attack)]);
  }
};
