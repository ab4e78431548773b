// One archive: the closed period of a marketplace whose rows are in files, with its place in the audit chain and the hash of its
// manifest. The states are a table, and the commands run on it.

import { type Machine, step } from '../../base/machine.ts';
import { table } from '../../commit/tables.ts';

export const ARCHIVE_STATES = ['SEALED', 'REMOVED', 'RESTORING', 'RESTORED'] as const;

type ArchiveState = (typeof ARCHIVE_STATES)[number];
type ArchiveTrigger = 'seal' | 'finish_removal' | 'restore' | 'finish_restoration';

export const ARCHIVE_MACHINE: Machine<ArchiveState, ArchiveTrigger> = {
  subject: 'the archive',
  rows: [
    { from: 'RESTORED', on: 'seal', to: 'SEALED' },
    { from: 'SEALED', on: 'finish_removal', to: 'REMOVED' },
    { from: 'REMOVED', on: 'restore', to: 'RESTORING' },
    { from: 'RESTORING', on: 'finish_restoration', to: 'RESTORED' },
  ],
};

export const nextState = (archive: Archive, on: ArchiveTrigger): ArchiveState =>
  step(ARCHIVE_MACHINE, { from: archive.state, on });

export type Archive = {
  /** The month, such as 2026-01. */
  readonly id: string;
  readonly state: ArchiveState;
  /** The first moment that the archive no longer contains. */
  readonly endsAt: string;
  readonly firstSeq: bigint;
  readonly lastSeq: bigint;
  /** The hash of the audit chain before the first entry of the archive, and after its last one. */
  readonly hashBefore: string;
  readonly hashAfter: string;
  readonly manifestHash: string;
  /** The hash of the manifest before this one; null: this is the first archive. */
  readonly previousManifest: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    archives: Archive;
  }
  interface Lookups {
    archives: Record<never, string>;
  }
}

export const ARCHIVES = table('archives', {
  notFound: 'INTERNAL_ERROR',
  sql: 'archives',
  columns: [
    'id',
    'state',
    'endsAt',
    'firstSeq',
    'lastSeq',
    'hashBefore',
    'hashAfter',
    'manifestHash',
    'previousManifest',
    'createdAt',
    'updatedAt',
  ],
  lookups: {},
});
