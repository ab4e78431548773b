// The tables of errors, events, moves, actions and states: every row is used, no row is missing, and the rows match the
// specification where it is present. The lists of rows that are not used yet must shrink: an entry that is no longer true fails.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AUDIT_ACTIONS, AUDIT_RESOURCES } from '@holdfast/contract/audit.ts';
import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import { ERRORS } from '@holdfast/contract/errors.ts';
import { AGGREGATES } from '@holdfast/contract/event-fields.ts';
import { EVENTS } from '@holdfast/contract/events.ts';
import {
  DESTINATION_TYPES,
  DISPUTE_DECISIONS,
  DISPUTE_OPENERS,
  DISPUTE_REASONS,
  DISPUTE_STATUSES,
  ESCROW_STATUSES,
  FINAL_STATUSES,
  MILESTONE_STATUSES,
  OPERATION_KINDS,
  OPERATION_STATES,
  ORDER_STATUSES,
  TOPUP_STATUSES,
  USER_STATUSES,
  USER_TYPES,
  WITHDRAWAL_STATUSES,
} from '@holdfast/contract/states.ts';
import { MOVES } from '../../server/src/books/moves.ts';
import { codeOf, readText, SPEC, sourcesOf } from './sources.ts';

/** Rows that no part of the code uses yet. */
const IDLE_YET: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  moves: [],
  actions: [],
  resources: [],
};

/** Errors of the specification whose part is still to come. */
const UNLISTED_YET: string[] = [];

/** Aggregates nothing is emitted about yet. */
const SILENT_YET: readonly string[] = [];
const UNEMITTED_YET: readonly string[] = [];

const code = (...patterns: string[]): string =>
  sourcesOf(...patterns)
    .map(({ text }) => codeOf(text))
    .join('\n');
const server = code('server/src/**/*.ts');
const commands = code('server/src/{books,ledger,modules}/**/*.ts');

const named = (text: string, name: string): boolean => text.includes(`'${name}'`);

const specSection = (heading: string): string | null => {
  if (!existsSync(SPEC)) return null;
  const [, rest = ''] = readFileSync(SPEC, 'utf8').split(`${heading}\n`);
  return rest.split(/\n##+ /)[0]!;
};

const idleIn = (text: string, names: readonly string[]): string[] => names.filter((name) => !named(text, name)).sort();

test('every error, move, audit action and audited resource is used, but for those whose part is not built yet', () => {
  assert.deepEqual(idleIn(server, Object.keys(ERRORS)), IDLE_YET.errors);
  assert.deepEqual(idleIn(commands, Object.keys(MOVES)), IDLE_YET.moves);
  assert.deepEqual(idleIn(commands, AUDIT_ACTIONS), IDLE_YET.actions);
  assert.deepEqual(idleIn(commands, AUDIT_RESOURCES), IDLE_YET.resources);
});

test('every error of the specification is in the table with one of its statuses, but for those of parts to come', (t) => {
  const section = specSection('## Errors');
  if (section === null) return t.diagnostic('the specification is not beside this checkout');
  const rows = [...section.matchAll(/^\| ([A-Z_]{5,}) \| ([^|]+) \|/gm)].map(([, name, statuses]) => ({
    name: name!,
    statuses: [...statuses!.matchAll(/\b[45]\d\d\b/g)].map(([status]) => Number(status)),
  }));
  const inProse = [...section.matchAll(/\b([A-Z_]{8,}) ([45]\d\d)\b/g)].map(([, name, status]) => ({
    name: name!,
    statuses: [Number(status)],
  }));
  assert.ok(rows.length >= 15 && inProse.length >= 5);
  const table: Record<string, { status: number }> = ERRORS;
  const missing = [...rows, ...inProse].filter(({ name }) => !(name in table)).map(({ name }) => name);
  assert.deepEqual([...new Set(missing)].sort(), UNLISTED_YET);
  for (const { name, statuses } of [...rows, ...inProse]) {
    if (name in table) assert.ok(statuses.includes(table[name]!.status), `${name} ${table[name]!.status}`);
  }
});

test('every event is emitted somewhere, but for those of parts to come', () => {
  // By name, or by the row of a machine.
  const calls = [...commands.matchAll(/\bemit\(\{\s*type: '([a-z_.]+)'/g)].map(([, type]) => type!);
  const rows = [...commands.matchAll(/\bemits: \[([^\]]*)\]/g)].flatMap(
    ([, types]) => types!.match(/[a-z_]+\.[a-z_]+/g) ?? [],
  );
  const emitted = new Set([...calls, ...rows]);
  for (const type of emitted) assert.ok(type in EVENTS, type);
  const silent = Object.entries(EVENTS).filter(([type]) => !emitted.has(type));
  assert.deepEqual(
    silent.filter(([, row]) => !SILENT_YET.includes(row.aggregate)).map(([type]) => type),
    UNEMITTED_YET,
  );
  for (const aggregate of SILENT_YET) {
    const all = Object.values(EVENTS).filter((row) => row.aggregate === aggregate).length;
    const idle = silent.filter(([, row]) => row.aggregate === aggregate).length;
    assert.equal(idle, all, `${aggregate} is not silent any more: list what is still missing`);
  }
});

/** Events that the specification does not have. */
const BEYOND_THE_SPEC: readonly string[] = [
  'user.updated',
  'user.payment_account_changed',
  'wallet.proved',
  'order.milestone_released',
  'order.milestone_refunded',
  'order.milestone_disputed',
  'order.deadline_reminder',
  'order.deadline_passed',
  'dispute.evidence_submitted',
  'dispute.message',
  ...Object.keys(EVENTS).filter((type) => /^(system|approval|correction)\./.test(type)),
];

test("the event catalogue is the specification's, field by field", (t) => {
  const section = specSection('### Catalog (payload fields; `?` marks optional)');
  if (section === null) return t.diagnostic('the specification is not beside this checkout');
  const listed = [...section.matchAll(/^\| ([a-z_]+\.[a-z_]+) \| (.+) \|$/gm)].map(([, type, fields]) => [
    type,
    fields,
  ]);
  const ofSpec = Object.entries(EVENTS).filter(([type]) => !BEYOND_THE_SPEC.includes(type));
  assert.equal(ofSpec.length, Object.keys(EVENTS).length - BEYOND_THE_SPEC.length);
  const ours = ofSpec.map(([type, { payload }]) => {
    const required: readonly string[] = payload.required ?? [];
    const fields = Object.keys(payload.properties).map((name) => (required.includes(name) ? name : `${name}?`));
    return [type, fields.join(', ')];
  });
  const sorted = (rows: (string | undefined)[][]) =>
    Object.fromEntries(rows.map(([type, fields]) => [type, fields!.split(', ').sort()]));
  assert.ok(listed.length > 40);
  assert.deepEqual(sorted(ours), sorted(listed));
});

test('every event type begins with a word of its own aggregate', () => {
  for (const [type, { aggregate }] of Object.entries(EVENTS)) {
    assert.equal(type.split('.')[0], aggregate.toLowerCase());
    assert.ok(AGGREGATES.includes(aggregate));
  }
});

test('the database allows just the states, types and currencies of the tables', () => {
  const schema = readText('server/src/commit/schema.sql');
  const allowed = (constraint: string): string[] => {
    const [line] = new RegExp(`constraint ${constraint} .*`).exec(schema) ?? [''];
    return [...line.matchAll(/'([^']+)'::text/g)].map(([, value]) => value!).sort();
  };
  assert.deepEqual(allowed('users_status_check'), USER_STATUSES.toSorted());
  assert.deepEqual(allowed('users_type_check'), USER_TYPES.toSorted());
  assert.deepEqual(allowed('orders_status_check'), ORDER_STATUSES.toSorted());
  assert.deepEqual(allowed('orders_final_status_check'), FINAL_STATUSES.toSorted());
  assert.deepEqual(allowed('escrows_status_check'), ESCROW_STATUSES.toSorted());
  assert.deepEqual(allowed('milestones_status_check'), MILESTONE_STATUSES.toSorted());
  assert.deepEqual(allowed('disputes_status_check'), DISPUTE_STATUSES.toSorted());
  assert.deepEqual(allowed('disputes_opened_by_check'), DISPUTE_OPENERS.toSorted());
  assert.deepEqual(allowed('disputes_reason_check'), DISPUTE_REASONS.toSorted());
  assert.deepEqual(allowed('disputes_resolution_decision_check'), DISPUTE_DECISIONS.toSorted());
  assert.deepEqual(allowed('topups_status_check'), TOPUP_STATUSES.toSorted());
  assert.deepEqual(allowed('withdrawals_status_check'), WITHDRAWAL_STATUSES.toSorted());
  assert.deepEqual(allowed('withdrawals_destination_type_check'), DESTINATION_TYPES.toSorted());
  assert.deepEqual(allowed('operations_kind_check'), OPERATION_KINDS.toSorted());
  assert.deepEqual(allowed('operations_state_check'), OPERATION_STATES.toSorted());
  for (const table of ['accounts', 'reservations', 'orders', 'escrows', 'operations', 'withdrawals']) {
    assert.deepEqual(allowed(`${table}_currency_check`), CURRENCIES.toSorted());
  }
});
