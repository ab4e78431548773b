// The simulators as seen by the simulation: started, killed and started again at the same port, and told what the outside world
// does. A kill never interrupts a call of the simulation, so it is always known what the outside world did.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Program, SIMULATORS, startProgram } from './programs.ts';
import { retryUntil } from './retry.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
export type Any = any;

export const SECRETS = {
  payment: `whsec_${Buffer.from('a secret of the simulated payments').toString('base64')}`,
  escrow: 'whsec_of-the-simulated-escrows',
} as const;

type Facts = {
  readonly url: string;
  readonly urls: Readonly<Record<'escrow' | 'payment' | 'ledger' | 'control' | 'payer', string>>;
  /** An address that is none of ours and trusts the asset. */
  readonly stranger: string;
  readonly factories: Readonly<Record<string, string>>;
};

export type Simulators = Awaited<ReturnType<typeof openSimulators>>;

export const openSimulators = async (of: { folder: string; webhookRelay: string; spelling: 'native' | 'neutral' }) => {
  const file = path.join(of.folder, 'simulators.jsonl');
  const start = async (known: Facts | null): Promise<Program> =>
    startProgram({
      file: SIMULATORS,
      folder: of.folder,
      ready: /SIMULATORS (\{.*\})/,
      env: {
        SIMULATORS_PORT: known ? new URL(known.url).port : '0',
        SIMULATORS_STATE: file,
        SIMULATORS_WEBHOOK_URL: of.webhookRelay,
        SIMULATORS_SPELLING: of.spelling,
        SIMULATORS_PAYMENT_SECRET: SECRETS.payment,
        SIMULATORS_ESCROW_SECRET: SECRETS.escrow,
        ...(known ? { SIMULATORS_STRANGER: known.stranger } : {}),
      },
    });

  let program = await start(null);
  const facts: Facts = JSON.parse(program.ready);
  let speaking = 0;
  let answered = 0;
  let isClosed = false;
  let kill: { at: number; strike(): void } | null = null;

  /** What the outside world does. Null when the simulators say that it cannot be. */
  const sendControl = async (how: string, body?: unknown): Promise<Any> => {
    await retryUntil(() => !isClosed, 'the simulators are there');
    const [method, way] = how.split(' ') as [string, string];
    const json = body === undefined ? {} : { headers: { 'content-type': 'application/json' } };
    speaking++;
    try {
      const answer = await fetch(`${facts.urls.control}${way}`, {
        method,
        ...json,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text || 'null');
      if (answer.status === 404 || answer.status === 409) return null;
      throw new Error(`the simulators answered ${how} with ${answer.status} ${text}`);
    } finally {
      speaking--;
      if (++answered === kill?.at) kill.strike();
    }
  };

  /** Kills the simulators when no call to them is running, and starts them again. */
  const killNow = async (): Promise<void> => {
    isClosed = true;
    await retryUntil(() => speaking === 0, 'no call to the simulators is running');
    await program.kill();
    program = await start(facts);
    isClosed = false;
  };

  return {
    facts,
    sendControl,
    killNow,
    /** After so many answers from now. */
    armKill(at: number, strike: () => void): void {
      kill = { at: answered + at, strike };
    },
    disarm(): void {
      kill = null;
    },
    said: () => program.said(),
    async close(): Promise<void> {
      await program.kill();
      await rm(file, { force: true });
    },
  };
};
