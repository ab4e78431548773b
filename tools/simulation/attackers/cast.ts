// The attackers of a simulated environment: a tenant of the same servers with keys of its own, and callers without a key. They act
// beside the scenarios of a step. What they may get is part of their code; everything else that they get is a violation.

import type { Holdfast } from '@holdfast/sdk';
import type { Actor } from '../actors.ts';
import type { Environment } from '../environment.ts';
import type { Random } from '../random.ts';

export const ATTACKERS = ['adversarial tenant', 'hint flood', 'hostile reader', 'stream hoarder'] as const;

export type AttackerName = (typeof ATTACKERS)[number];

/** The marketplace of the attackers. Nothing was ever paid in there. */
export const ATTACKER_MARKETPLACE = 'mkt_attacker';

export type Cast = {
  /** Scopes `read` and `write`, as a tenant's own program has them. */
  readonly client: Holdfast;
  readonly key: string;
  readonly readKey: string;
  readonly userId: string;
};

export type Attack = {
  readonly environment: Environment;
  readonly cast: Cast;
  readonly actor: Actor;
  /** Begins the reference of everything that the attacker makes. */
  readonly tag: string;
  readonly random: Random;
  /** Settles when the scenarios of the step have ended. */
  readonly over: Promise<unknown>;
  isOver(): boolean;
};

export type Attacker = (attack: Attack) => Promise<void>;
