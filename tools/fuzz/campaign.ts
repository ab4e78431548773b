// A campaign: plans by the seed, sent to a whole server with its simulators, each answer judged, and in the end the books
// proved and the audit chains recomputed. One after the other unless told otherwise, so that a seed says what led to
// what.

import { createHmac, randomUUID } from 'node:crypto';
import { openPool, type People, provide } from './callers.ts';
import { judge } from './check-response.ts';
import { readOperations } from './document.ts';
import { anyPlan, type Plan, plansFrom } from './plan.ts';
import { SECRETS, startLoudApp } from './recorded-app.ts';
import { curlOf, type Heard, type Sent, send } from './send.ts';
import { restock } from './stock.ts';

export type Finding = {
  readonly seed: number;
  /** Which request of the seed. */
  readonly place: number;
  readonly operation: string;
  readonly kind: string;
  readonly problems: readonly string[];
  readonly answer: string;
  readonly curl: string;
};

export type Campaign = {
  readonly requests: number;
  readonly operations: number;
  readonly neverReached: readonly string[];
  readonly byKind: Readonly<Record<string, number>>;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  /** The proof's checks and the audit chains, afterwards: what does not hold. */
  readonly broken: readonly string[];
  /** Log lines of unexpected failures. */
  readonly failures: readonly string[];
};

const CHUNK = 250;
const ANSWER_SHOWN = 1_500;
const FINDINGS_MAX = 50;
/** Shorter patience than usual: a campaign arms faults, and each would cost ten seconds. */
const ENV = { PROVIDER_TIMEOUT_MS: '400', OPERATION_WAIT_MS: '1500' };
const HOLD = '/payments/hold';
const RELEASE: Sent = {
  method: 'POST',
  target: '/api/v1/payments/release',
  headers: [
    ['authorization', `Bearer ${SECRETS.masterKey}`],
    ['content-type', 'application/json'],
  ],
  body: JSON.stringify({ anyway: true }),
};
/** Simulators that were told to lie are shown as breaks, which is right. */
const MAY_BREAK = 'no-open-breaks';

export const runCampaign = async (options: {
  seed: number;
  requests: number;
  /** How many are under way together; with more than one a seed no longer says what led to what. */
  atOnce?: number;
  onProgress?(done: number, findings: number): void;
}): Promise<Campaign> => {
  const { seed, requests, atOnce = 1 } = options;
  const app = await startLoudApp(ENV);
  try {
    const operations = await readOperations(app.url);
    const people = await provide(app.url);
    const pool = openPool(people);
    const plans = anyPlan(operations);
    const byKind: Record<string, number> = {};
    const byStatus: Record<string, number> = {};
    const reached = new Set<string>();
    const findings: Finding[] = [];
    let done = 0;
    for (let chunk = 0; done < requests && findings.length < FINDINGS_MAX; chunk++) {
      // What was armed strikes the requests of its own chunk only.
      await send(app.url, requestOf('DELETE /api/v1/sandbox/faults', people.keys.everything));
      pool.learn(await restock(app.url, people));
      const chosen = plansFrom(plans, { seed, chunk, count: Math.min(CHUNK, requests - done) }).values();
      const work = async (): Promise<void> => {
        for (const plan of chosen) {
          const sent = dress(plan, { people, fill: pool.fill });
          const heard = await send(app.url, sent);
          pool.learn(heard.text);
          done += 1;
          byKind[plan.kind] = (byKind[plan.kind] ?? 0) + 1;
          byStatus[String(heard.status)] = (byStatus[String(heard.status)] ?? 0) + 1;
          if (heard.status !== null && heard.status < 300) {
            reached.add(plan.operation.name);
            // While payments are on hold, few operations can be reached.
            if (plan.operation.name.endsWith(HOLD)) await send(app.url, RELEASE);
          }
          const problems = judge(plan.operation, sent, heard);
          if (problems.length > 0)
            findings.push(findingOf({ seed, place: done, plan, problems, heard, curl: curlOf(app.url, sent) }));
          options.onProgress?.(done, findings.length);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    }
    return {
      requests: done,
      operations: operations.length,
      byKind,
      byStatus,
      findings,
      neverReached: operations.map(({ name }) => name).filter((name) => !reached.has(name)),
      broken: await brokenIn(app.url),
      failures: app.lines.filter((line) => line.includes('request failed')),
    };
  } finally {
    await app.close();
  }
};

const findingOf = ({
  plan,
  heard,
  ...rest
}: Omit<Finding, 'operation' | 'kind' | 'answer'> & { plan: Plan; heard: Heard }): Finding => ({
  ...rest,
  operation: plan.operation.name,
  kind: plan.kind,
  answer: `${heard.status ?? 'none'} ${heard.text.slice(0, ANSWER_SHOWN)}`,
});

const requestOf = (request: string, key: string): Sent => {
  const [method, target] = request.split(' ') as [string, string];
  return { method, target, headers: [['authorization', `Bearer ${key}`]], body: null };
};

const dress = (plan: Plan, { people, fill }: { people: People; fill(text: string): string }): Sent => {
  const { method, caller, signed, operation } = plan;
  const body = plan.body === null ? null : fill(plan.body);
  const bearer = caller === 'anonymous' ? [] : [['authorization', `Bearer ${people.keys[caller]}`] as const];
  const signature = signed && body !== null ? signatureOf(operation.path, body) : [];
  // An odd header of the plan takes the place of the usual one: of two the server would read the first.
  const headers = new Map([...bearer, ...signature, ...plan.headers]);
  return { method, target: fill(plan.target), headers: [...headers], body };
};

const signatureOf = (path: string, body: string): [string, string][] => {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
  if (path.endsWith('/webhooks/escrow-provider')) {
    return [['x-escrow-signature', hmac(SECRETS.escrowWebhook, body).digest('hex')]];
  }
  if (!path.endsWith('/webhooks/payment-provider')) return [];
  const id = randomUUID();
  const time = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(SECRETS.paymentWebhook.slice('whsec_'.length), 'base64');
  const signature = hmac(key, `${id}.${time}.${body}`).digest('base64');
  return [
    ['webhook-id', id],
    ['webhook-timestamp', time],
    ['webhook-signature', `v1,${signature}`],
  ];
};

const brokenIn = async (url: string): Promise<string[]> => {
  const broken: string[] = [];
  for (const marketplaceId of ['mkt_default', 'mkt_other', 'mkt_fuzz']) {
    const read = async (path: string) => {
      const sent = requestOf(`GET /api/v1/audit/${path}`, SECRETS.masterKey);
      const headers = [...sent.headers, ['x-marketplace-id', marketplaceId] as const];
      return JSON.parse((await send(url, { ...sent, headers })).text).data;
    };
    const { checks } = await read('proof');
    for (const { name, holds, detail } of checks) {
      if (!holds && name !== MAY_BREAK) broken.push(`${marketplaceId}: ${name}: ${detail}`);
    }
    const chain = await read('verify');
    if (!chain.holds) broken.push(`${marketplaceId}: the audit chain is broken at ${chain.brokenAt}`);
  }
  return broken;
};
