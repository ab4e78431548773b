// The simulators of the outside systems as a program of their own, `npm run sandbox`, with their state in a folder: what real
// providers are to a server, only that these can be killed. They come back at the same address.

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import { ledgerOf, settle } from '../simulation/ledger-accounts.ts';
import { refuseAfterEnd } from './order-scenarios.ts';
import { type Program, runProgram } from './program.ts';
import { freePort } from './server.ts';
import { forSeconds, type Stage } from './stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
export type Any = any;

export type Simulators = {
  readonly program: Program;
  /** Settings of a server that uses these simulators. */
  readonly settings: Readonly<Record<string, string>>;
  /** An address that is none of ours and trusts the asset. */
  readonly stranger: string;
  /** What the outside world does, repeated until it is heard. Null when the simulators say that it cannot be. */
  sendControl(how: string, body?: unknown): Promise<Any>;
};

const MAIN = path.resolve(import.meta.dirname, '../../sandbox/src/main.ts');
const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret of the drilled payments').toString('base64')}`;
const AGAIN_S = 0.05;

const controlClient = (control: string, isOver: () => boolean) => async (how: string, body?: unknown) => {
  const [method, way] = how.split(' ') as [string, string];
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  for (;;) {
    const answer = await fetch(`${control}${way}`, { method, ...json }).catch(() => null);
    // One that died before it had answered did it or did it not: both are told by the second answer.
    const text = await answer?.text().catch(() => null);
    if (answer?.ok && typeof text === 'string') return JSON.parse(text || 'null');
    if (answer?.status === 404 || answer?.status === 409) return null;
    if (answer && !answer.ok) throw new Error(`the simulators answered ${how} with ${answer.status} ${text}`);
    refuseAfterEnd(isOver);
    await forSeconds(AGAIN_S);
  }
};

const settingsFor = (url: string, factories: Record<string, string>): Record<string, string> => ({
  JWT_SECRET: 'a-secret-of-the-drills-0123456789abcdef',
  WALLET_KEK: `1:${createHash('sha256').update('wallets of the drills').digest('base64')}`,
  ESCROW_PROVIDER_URL: `${url}/escrow-provider`,
  PAYMENT_PROVIDER_URL: `${url}/payment-provider/v2`,
  LEDGER_URL: `${url}/ledger`,
  ESCROW_FACTORY_SINGLE: factories['single-release']!,
  ESCROW_FACTORY_MULTI: factories['multi-release']!,
  ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
  LEDGER_RATE_PER_MINUTE: '0',
  PAYMENT_PROVIDER_RATE_PER_SECOND: '0',
  PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET,
  ESCROW_WEBHOOK_SECRET: 'whsec_of-the-drilled-escrows',
  PROVIDER_TIMEOUT_MS: '2000',
  OPERATION_WAIT_MS: '5000',
  DEPOSIT_POLL_S: '2',
});

/** `receiver`: where the server will be that is told of payments. */
export const runSandbox = async (stage: Stage, receiver: string): Promise<Simulators> => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const folder = await stage.folder();
  const program = await runProgram(stage, {
    name: 'sandbox',
    file: MAIN,
    folder,
    readyWord: /The sandbox is ready/,
    env: {
      DATA_DIR: folder,
      SANDBOX_PORT: new URL(url).port,
      SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
      SANDBOX_WEBHOOK_URL: `${receiver}/api/v1/webhooks/payment-provider`,
    },
  });
  await program.ready();
  let isOver = false;
  stage.afterwards(() => {
    isOver = true;
  });
  const sendControl = controlClient(`${url}/control`, () => isOver);
  const state = await sendControl('GET /state');
  // As much of the simulators as it takes to settle there.
  const there = { urls: { ledger: `${url}/ledger`, control: `${url}/control` }, clock: { now: Date.now } };
  const stranger = await settle(ledgerOf({ ...there, describe: () => state } as unknown as Sandbox));
  const settings = settingsFor(url, state.escrowFactories);
  return { program, settings, stranger: stranger.publicKey(), sendControl };
};
