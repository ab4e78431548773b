// Sends a share of the calls as a dry run first, and keeps what the dry run said beside what the call did. The check "previews" compares
// them at the end, where no other commit touched the same order or users in between.

import { randomUUID } from 'node:crypto';
import type { Preview } from '@holdfast/sdk';
import type { Environment } from '../environment.ts';
import type { Journal, Told } from '../journal.ts';
import type { Any } from '../simulators.ts';
import { type Identified, identified } from './request-ids.ts';

/** What the dry run answered: a preview, the code of a refusal, or nothing that counts. */
type Foretold = { readonly preview: Preview<Any> } | { readonly refusal: string } | null;

export type Previewed = {
  readonly tag: string;
  readonly call: string;
  readonly marketplaceId: string;
  /** Records whose other changes change what happens, and users whose other changes only change figures and whether it is refused. */
  readonly about: readonly string[];
  readonly users: readonly string[];
  /** The last audit entry before the dry run, and the last one after the call. */
  readonly since: bigint;
  readonly until: bigint;
  readonly dryRun: Identified;
  readonly real: Identified;
  readonly foretold: Foretold;
  readonly told: Told<unknown>;
};

type Call = {
  readonly tag: string;
  readonly call: string;
  readonly place: number;
  readonly about: readonly string[];
  readonly users: readonly string[];
};

export type Options = { readonly dryRun?: true; readonly idempotencyKey?: string };

const LAST = 'select audit_seq::text as seq from marketplaces where marketplace_id = $1';

const newIdentity = (requestId: string): Identified => ({ requestId, statuses: [], isReplayed: false });

export const openPreviews = (environment: Environment, journal: Journal) => {
  const all: Previewed[] = [];

  /** Null while PostgreSQL is down. */
  const lastEntry = async (marketplaceId: string): Promise<bigint | null> => {
    const rows = await environment.sql(LAST, [marketplaceId]).catch(() => null);
    return rows === null ? null : BigInt(rows[0]?.seq ?? 0);
  };

  return {
    all,
    /** The call after its dry run. */
    async ask(of: Call, work: (options: Options) => Promise<unknown>): Promise<Told<unknown>> {
      const { marketplaceId } = environment.places[of.place]!;
      const { tag, call, about, users } = of;
      const since = await lastEntry(marketplaceId);
      // A dry run that stored its answer would answer the request too.
      const idempotencyKey = randomUUID();
      const dryRun = { ...newIdentity(`dry-${idempotencyKey}`), idempotencyKey };
      const dry = await journal.ask({ tag, call: `${call} (dry run)` }, () =>
        identified(dryRun, () => work({ dryRun: true })),
      );
      const real = newIdentity(`real-${idempotencyKey}`);
      const told = await journal.ask({ tag, call }, () => identified(real, () => work({ idempotencyKey })));
      const until = await lastEntry(marketplaceId);
      const foretold = foretoldOf(dry);
      if (since !== null && until !== null) {
        all.push({ tag, call, marketplaceId, about, users, since, until, dryRun, real, foretold, told });
      }
      return told;
    },
  };
};

const foretoldOf = (dry: Told<unknown>): Foretold => {
  if (dry.outcome === 'acknowledged') return { preview: dry.value as Preview<Any> };
  return dry.outcome === 'refused' && (dry.error.status ?? 500) < 500 ? { refusal: dry.error.code } : null;
};
