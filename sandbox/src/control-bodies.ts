// Reads the bodies of the control API. Every refusal is one sentence that says what to send instead.

import type { EscrowEventRequest } from './escrow-provider/webhook.ts';
import { ESCROW_EVENTS, type EscrowEvent } from './escrow-provider/webhook-truth.ts';
import type { FaultScript } from './faults.ts';
import type { AccountSettings, FaucetPayment } from './ledger-network/ledger-network.ts';
import { parseCents } from './payment-provider/cents.ts';
import type { NewEnterprise } from './payment-provider/enterprises.ts';
import type { UserSettings } from './payment-provider/users.ts';
import { Refusal } from './refusal.ts';

type Fields = Record<string, unknown>;

const COUNT_MAX = 1_000_000;
const DELAY_MAX_MS = 24 * 60 * 60 * 1000;
// A hundred years: later dates are unusual.
const SECONDS_MAX = 3_155_760_000;

const refuse = (sentence: string) => new Refusal(400, sentence);

function fieldsOf(body: unknown, known: readonly string[]): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuse(`Send a JSON object with: ${known.join(', ')}.`);
  }
  for (const field of Object.keys(body)) {
    if (!known.includes(field)) throw refuse(`Unknown field "${field}". Use: ${known.join(', ')}.`);
  }
  return body as Fields;
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw refuse(`"${name}" must be a text.`);
  return value;
}

function whole(fields: Fields, { name, least, most }: { name: string; least: number; most: number }): number {
  const value = fields[name];
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw refuse(`"${name}" must be a whole number from ${least} to ${most}.`);
}

export function readFault(body: unknown): FaultScript {
  const fields = fieldsOf(body, ['operation', 'fault', 'count', 'delayMs', 'match']);
  const script: FaultScript = { operation: text(fields, 'operation'), fault: text(fields, 'fault') };
  if (given(fields.count)) script.count = whole(fields, { name: 'count', least: 1, most: COUNT_MAX });
  if (given(fields.delayMs)) script.delayMs = whole(fields, { name: 'delayMs', least: 0, most: DELAY_MAX_MS });
  if (given(fields.match)) script.match = text(fields, 'match');
  return script;
}

export function readSeconds(body: unknown): number {
  const { seconds } = fieldsOf(body, ['seconds']);
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= SECONDS_MAX) return seconds;
  throw refuse(`"seconds" must be a number from 0 to ${SECONDS_MAX}: the clock only moves forward.`);
}

export function readFaucet(body: unknown): FaucetPayment {
  const fields = fieldsOf(body, ['address', 'asset', 'amount']);
  const { asset } = fields;
  if (asset !== 'USDC' && asset !== 'XLM') throw refuse('"asset" must be USDC or XLM.');
  const amount = typeof fields.amount === 'number' ? String(fields.amount) : text(fields, 'amount');
  if (!/^\d{1,12}(\.\d{1,7})?$/.test(amount) || Number(amount) === 0) {
    throw refuse('"amount" must be a positive decimal with at most seven decimal places, such as "25.50".');
  }
  return { address: text(fields, 'address'), asset, amount };
}

export function readAccountSettings(body: unknown): AccountSettings {
  const fields = fieldsOf(body, ['memoRequired', 'authorized']);
  const settings: AccountSettings = {};
  for (const name of ['memoRequired', 'authorized'] as const) {
    const value = fields[name];
    if (!given(value)) continue;
    if (typeof value !== 'boolean') throw refuse(`"${name}" must be true or false.`);
    settings[name] = value;
  }
  return settings;
}

export function readReason(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  const fields = fieldsOf(body, ['reason']);
  return given(fields.reason) ? text(fields, 'reason') : undefined;
}

export function readEscrowEvent(body: unknown): EscrowEventRequest {
  const fields = fieldsOf(body, ['type', 'orderId', 'milestone', 'milestoneRef']);
  const type = text(fields, 'type') as EscrowEvent;
  if (!ESCROW_EVENTS.includes(type)) throw refuse(`"type" must be one of: ${ESCROW_EVENTS.join(', ')}.`);
  return {
    type,
    orderId: text(fields, 'orderId'),
    milestone: given(fields.milestone) ? whole(fields, { name: 'milestone', least: 0, most: 100 }) : null,
    milestoneRef: given(fields.milestoneRef) ? text(fields, 'milestoneRef') : null,
  };
}

export function readUser(body: unknown): UserSettings & { email: string } {
  const fields = fieldsOf(body, ['email', 'status', 'isVerified', 'country', 'firstName', 'lastName']);
  const user: UserSettings & { email: string } = { email: text(fields, 'email') };
  if (!/^[^@\s]+@[^@\s]+$/.test(user.email)) throw refuse('"email" must be an e-mail address.');
  const { status, isVerified } = fields;
  if (status !== undefined && status !== 'active' && status !== 'inactive') {
    throw refuse('"status" must be active or inactive.');
  }
  if (status !== undefined) user.status = status;
  if (isVerified !== undefined && typeof isVerified !== 'boolean') throw refuse('"isVerified" must be true or false.');
  if (isVerified !== undefined) user.isVerified = isVerified;
  for (const name of ['country', 'firstName', 'lastName'] as const) {
    if (fields[name] !== undefined) user[name] = text(fields, name);
  }
  return user;
}

export function readEnterprise(body: unknown): NewEnterprise {
  const fields = fieldsOf(body, ['name', 'key', 'secret', 'webhookSecret', 'openingBalance']);
  const name = text(fields, 'name');
  if (!/^[\w-]{1,40}$/.test(name)) throw refuse('"name" must be 1 to 40 letters, digits, - or _.');
  const webhookSecret = given(fields.webhookSecret) ? text(fields, 'webhookSecret') : null;
  if (webhookSecret !== null && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(webhookSecret)) {
    throw refuse('"webhookSecret" must be "whsec_" and base64.');
  }
  const opening = given(fields.openingBalance) ? parseCents(Number(text(fields, 'openingBalance'))) : 0n;
  if (opening === null) throw refuse('"openingBalance" must be a decimal with at most two places, such as "25.50".');
  return { name, key: text(fields, 'key'), secret: text(fields, 'secret'), webhookSecret, opening };
}

const given = (value: unknown) => value !== undefined && value !== null;
