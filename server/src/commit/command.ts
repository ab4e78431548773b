// A command: the rows it needs and a pure decision on them. No await, no clock, no SQL, no HTTP inside. The committer gives it a
// unit of work with the rows, and writes what the decision leaves there.

import type { AuditAction, AuditResource } from '@holdfast/contract/audit.ts';
import type { EventPayload, EventType } from '@holdfast/contract/events.ts';
import type { IdKind } from '@holdfast/contract/ids.ts';
import type { DomainError } from '../base/domain-error.ts';
import type { Account } from '../books/accounts.ts';
import type { Amount } from '../books/money.ts';
import type { MoveName } from '../books/moves.ts';
import type { Moving } from './money.ts';
import type { Reaction } from './reactions.ts';
import type { Lookups, TableName, Tables } from './tables.ts';

/** Who acts: the master key, an API key (or its token), an operator, a user of Surface B, or one of our own jobs. */
type Actor = { readonly type: 'master' | 'api_key' | 'operator' | 'user' | 'system'; readonly id: string };

export type Context = {
  readonly marketplaceId: string;
  readonly actor: Actor;
  /** The correlation id of events and audit entries. */
  readonly requestId: string;
  /** Only when the request was approved by another actor. Every audit entry names it. */
  readonly approval?: ApprovalMark;
  /** Decides with the command, in the same commit. */
  readonly alongside?: Alongside;
};

/** The approval of a request, and its approver. */
export type ApprovalMark = {
  readonly id: string;
  readonly approvedBy: { readonly type: string; readonly id: string; readonly name: string };
};

/** A second decision that belongs to the request and not to one command: both are committed, or neither is. */
export type Alongside = {
  /** Commands of the request in another marketplace are decided alone. */
  readonly marketplaceId: string;
  readonly rows: readonly Need[];
  /** After the decision of the command. Throws to refuse the command too. */
  decide(work: UnitOfWork, reply: unknown): void;
};

/** One of the table's lookups, and the value to look up. */
export type LookupIn<T extends TableName> = { readonly by: keyof Lookups[T] & string; readonly value: string };

/** The command expects that the row or account does not exist: see assumed.ts. */
type New = { readonly isNew?: true };

/** Rows by id, or by one of the table's lookups. */
export type Need = New &
  (
    | { readonly [T in TableName]: { readonly table: T; readonly id: string } }[TableName]
    | { readonly [T in TableName]: { readonly table: T } & LookupIn<T> }[TableName]
  );

export type Needs = { readonly rows?: readonly Need[]; readonly accounts?: readonly (Account & New)[] };

export type Command<Input, Reply> = {
  readonly name: string;
  needs(input: Input): Needs;
  /** Rows that can be named only when the first ones are loaded. */
  needsNext?(input: Input, work: UnitOfWork): Needs;
  /** Throws a DomainError to refuse: then nothing that it did remains. */
  decide(input: Input, work: UnitOfWork): Reply;
  /**
   * What this process has to do once the command has ended and before it is answered. `reply` is null when the command was refused,
   * when its outcome is unknown, and when the request is a repeat: another process may have carried out the first one.
   */
  reactions?(ended: { readonly input: Input; readonly reply: Reply | null }): readonly Reaction[];
};

export const command = <Input, Reply>(definition: Command<Input, Reply>): Command<Input, Reply> => definition;

export type AuditNote = {
  readonly action: AuditAction;
  readonly resourceType: AuditResource;
  readonly resourceId: string;
  /** The user it concerns, where that is not the resource itself. */
  readonly userId?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly result?: 'SUCCESS' | 'FAILURE';
};

export type Posting = {
  readonly from: Account;
  readonly to: Account;
  readonly amount: Amount;
  /** Why the money moved; a name of the moves table. */
  readonly move: MoveName;
  /** The order, top-up or withdrawal it belongs to, or the caller's own reference. */
  readonly reference?: string | null;
  readonly description?: string | null;
};

export type NewEvent<T extends EventType> = {
  readonly type: T;
  readonly aggregateId: string;
  /** The user it concerns; a field of the event's metadata. */
  readonly userId?: string;
  /** The platform's part of a settlement: `platformFeeAmount` and, by its older name, `platformFee` of the event's metadata. */
  readonly platformFee?: string;
  /** Figures that the payload has no field for; fields of the event's metadata. */
  readonly figures?: Readonly<Record<string, string>>;
  readonly payload: EventPayload<T>;
};

export type UnitOfWork = {
  readonly context: Context;
  /** ISO 8601 with microseconds; the same for everything this command writes, except that events differ by one. */
  readonly now: string;
  /** The time that deadlines follow: with simulators their clock, which can be moved, otherwise `now`. */
  readonly deadlineNow: string;
  newId(kind: IdKind): string;

  find<T extends TableName>(table: T, id: string): Tables[T] | undefined;
  /** Refuses with the not-found code of the table. */
  get<T extends TableName>(table: T, id: string): Tables[T];
  findBy<T extends TableName>(table: T, lookup: LookupIn<T>): Tables[T] | undefined;
  listBy<T extends TableName>(table: T, lookup: LookupIn<T>): Tables[T][];
  put<T extends TableName>(table: T, row: Tables[T]): void;

  /** The balance of the account; zero when it has never been used. */
  balance(account: Account): Amount;
  /** Time of the account's last posting. */
  touchedAt(account: Account): string | null;
  /** Moves the amount by a row of the moves table, or refuses with the error of the row when the source has too little. */
  move(name: MoveName, transfer: Moving): void;
  /** Moves an amount between two accounts. `move` checks for overdraft first; this asserts it again. */
  post(posting: Posting): void;

  emit<T extends EventType>(event: NewEvent<T>): void;
  audit(note: AuditNote): void;
};

/** Stores the answer in the command's own commit, so that a repeat of the request finds it. */
export type ReplayGuard<Reply> = {
  /** Hash of the caller and its Idempotency-Key. */
  readonly keyHash: Buffer;
  /** Hash of method, path and body. */
  readonly fingerprint: Buffer;
  readonly retentionHours: number;
  /** Null: the answer must not be stored. */
  render(result: { reply: Reply } | { error: DomainError }): StoredAnswer | null;
};

export type StoredAnswer = { readonly status: number; readonly body: string };

export type Outcome<Reply> =
  | { readonly kind: 'reply'; readonly reply: Reply; readonly answer: StoredAnswer | null }
  | { readonly kind: 'replay'; readonly answer: StoredAnswer };

export type Submission<Input, Reply> = {
  readonly command: Command<Input, Reply>;
  readonly input: Input;
  readonly context: Context;
  readonly guard?: ReplayGuard<Reply>;
};

/** Resolves when the commit is durable; rejects with a DomainError when the command is refused. */
export type Submit = <Input, Reply>(submission: Submission<Input, Reply>) => Promise<Outcome<Reply>>;

/** Submits a command without a replay guard, so the outcome is always a reply. */
export const runCommand = async <Input, Reply>(
  submit: Submit,
  submission: Omit<Submission<Input, Reply>, 'guard'>,
): Promise<Reply> => {
  const outcome = await submit(submission);
  if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
  return outcome.reply;
};
