// The job that compares the conditions of the service with the open alerts, and opens and closes alerts. It keeps nothing between two runs:
// a crash at any point delays an alert by one run and announces none twice.

import { SYSTEM_ALERT_KINDS, type SystemAlertKind } from '@holdfast/contract/states.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { closeAlerts, openAlerts } from './change-alerts.ts';
import type { ReadConditions, SeenCondition } from './conditions.ts';
import type { AlertReads, OpenAlert } from './queries.ts';

type Options = {
  readonly reads: Pick<AlertReads, 'listOpen'>;
  readonly conditions: Readonly<Record<SystemAlertKind, ReadConditions>>;
  readonly submit: Submit;
  /** Whether the conditions of some marketplaces may be missing in what was read. Never, when it is not given. */
  isPartial?(): boolean;
  /** E-mail is set, so each change is mailed. */
  readonly isMailed: boolean;
  onTrouble(message: string, error: unknown): void;
};

/** Open alerts of one kind in one marketplace. More are opened when these have ended: a person needs no longer list. */
const OPEN_MAX = 1_000;

const contextOf = (marketplaceId: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'check-alerts' },
  requestId: 'check-alerts',
});

type Compared = {
  readonly kind: SystemAlertKind;
  readonly marketplaceId: string;
  readonly seen: readonly SeenCondition[];
  readonly open: readonly OpenAlert[];
  /** What is missing in `seen` has ended. */
  readonly isComplete: boolean;
};

const settle = async ({ submit, isMailed }: Options, compared: Compared): Promise<void> => {
  const { kind, marketplaceId, seen, open, isComplete } = compared;
  const known = new Set(open.map(({ subject }) => subject));
  const still = new Set(seen.map(({ subject }) => subject));
  const ids = isComplete ? open.filter(({ subject }) => !still.has(subject)).map(({ id }) => id) : [];
  const room = OPEN_MAX - (open.length - ids.length);
  const conditions = seen.filter(({ subject }) => !known.has(subject)).slice(0, room);
  const context = contextOf(marketplaceId);
  const mail = isMailed ? 'DUE' : 'NONE';
  // The ends first: a subject that is back has another row.
  if (ids.length > 0) await runCommand(submit, { command: closeAlerts, input: { kind, ids, mail }, context });
  if (conditions.length > 0) {
    await runCommand(submit, { command: openAlerts, input: { kind, conditions, mail }, context });
  }
};

const checkKind = async (
  options: Options,
  { kind, open }: { kind: SystemAlertKind; open: readonly OpenAlert[] },
): Promise<void> => {
  const seen = Map.groupBy(await options.conditions[kind](), ({ marketplaceId }) => marketplaceId);
  // While a machine of a distributed database does not answer, its conditions are missing: their alerts have not ended.
  const isComplete = !options.isPartial?.();
  const known = Map.groupBy(open, ({ marketplaceId }) => marketplaceId);
  for (const marketplaceId of new Set([...seen.keys(), ...known.keys()])) {
    const compared = {
      kind,
      marketplaceId,
      seen: seen.get(marketplaceId) ?? [],
      open: known.get(marketplaceId) ?? [],
      isComplete,
    };
    // A marketplace whose machine does not answer delays no other one.
    await settle(options, compared).catch((error) => options.onTrouble('an alert was not stored', error));
  }
};

export const checkAlerts = (options: Options): Job => ({
  ...scheduled('check-alerts'),
  async run() {
    const open = await options.reads.listOpen();
    for (const kind of SYSTEM_ALERT_KINDS) {
      const of = { kind, open: open.filter((alert) => alert.kind === kind) };
      await checkKind(options, of).catch((error) =>
        options.onTrouble(`the conditions of the alert ${kind} could not be read`, error),
      );
    }
  },
});
