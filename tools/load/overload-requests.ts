// What a clients asks for, as bytes: credits that can be told apart afterwards, reads, logins, streams and bodies that are too
// large.

import { randomUUID } from 'node:crypto';
import type { ClientsOrder, Credit } from './overload-clients.ts';

export type AskName = 'credit' | 'balance' | 'list' | 'login' | 'stream' | 'large';

export type Ask = { readonly name: AskName; readonly text: string; readonly credit: Credit | null };

export type Asks = { next(): Ask };

/** A little more than the server takes. */
const LARGE_BYTES = 260 * 1024;
const LARGE = `{"amount":"0.01","reference":"${'x'.repeat(LARGE_BYTES)}"}`;

const requestOf = (
  line: string,
  { headers, body = null }: { headers: readonly string[]; body?: string | null },
): string => {
  const typed = body === null ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${[`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, ...typed].join('\r\n')}\r\n\r\n${body ?? ''}`;
};

export const asksOf = ({ key, users, visitor, weights }: ClientsOrder): Asks => {
  const own = `Authorization: Bearer ${key}`;
  let asked = 0;
  const nextUser = (): string => users[asked % users.length]!;
  const credits = (userId: string): string => `POST /api/v1/users/${userId}/balance/credit`;
  const makers: Readonly<Record<AskName, () => Omit<Ask, 'name'>>> = {
    credit() {
      const credit = { userId: nextUser(), reference: randomUUID(), idempotencyKey: randomUUID() };
      const headers = [own, `Idempotency-Key: ${credit.idempotencyKey}`];
      const body = `{"amount":"0.01","reference":"${credit.reference}"}`;
      return { text: requestOf(credits(credit.userId), { headers, body }), credit };
    },
    balance: () => ({ text: requestOf(`GET /api/v1/users/${nextUser()}/balance`, { headers: [own] }), credit: null }),
    list: () => ({ text: requestOf('GET /api/v1/audit/logs?limit=50', { headers: [own] }), credit: null }),
    login: () => ({
      text: requestOf('POST /auth/login', { headers: [], body: JSON.stringify(visitor) }),
      credit: null,
    }),
    stream: () => ({ text: requestOf('GET /api/v1/events', { headers: [own] }), credit: null }),
    large: () => ({ text: requestOf(credits(nextUser()), { headers: [own], body: LARGE }), credit: null }),
  };
  const table = (Object.entries(weights) as [AskName, number][]).flatMap(([name, weight]) =>
    Array.from({ length: weight }, () => name),
  );
  return {
    next() {
      // Adjacent entries of the table are used far apart in time, so that the clients do not all send the same request at once.
      const name = table[(asked++ * 7_919) % table.length]!;
      return { name, ...makers[name]() };
    },
  };
};
