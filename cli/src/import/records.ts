// What an import reads from its source: users, balances and orders, in one form for CSV files and for the API of another system. Amounts
// are whole units of seven decimal places.

export type SourceUser = {
  /** Where the record is in the source, for messages. */
  readonly place: string;
  /** Id in the source; null: the source has none. */
  readonly sourceId: string | null;
  readonly externalUserId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly type: UserType | null;
  readonly status: string;
  readonly metadata: Metadata;
};

export type UserType = 'BUYER' | 'SELLER' | 'BOTH';

export type Metadata = Readonly<Record<string, unknown>>;

export type SourceBalance = {
  readonly place: string;
  readonly externalUserId: string;
  readonly currency: string;
  readonly available: bigint;
  readonly reserved: bigint;
};

export type SourceMilestone = { readonly ref: string; readonly title: string; readonly amount: bigint };

export type SourceOrder = {
  readonly place: string;
  readonly sourceId: string;
  readonly clientOrderRef: string | null;
  /** External ids of the two users. */
  readonly buyer: string;
  readonly seller: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: string;
  /** Whether a closed order ended with a refund of its whole amount. */
  readonly isRefunded: boolean;
  /** Percentage, as the source wrote it; null: the source has none. */
  readonly platformFee: string | null;
  readonly metadata: Metadata;
  readonly milestones: readonly SourceMilestone[];
};

export type Source = {
  /** The files or the address. */
  readonly name: string;
  readonly users: readonly SourceUser[];
  readonly balances: readonly SourceBalance[];
  readonly orders: readonly SourceOrder[];
  /** Orders of the source that have ended and are not imported. */
  readonly closedOrders: number;
  /** Records that could not be read. */
  readonly problems: readonly string[];
};

/** Limits of one import, so that its memory and its time are bounded. */
export const IMPORT_LIMITS = {
  fileBytes: 64 * 1024 * 1024,
  recordBytes: 64 * 1024,
  /** For each of users, balances and orders. */
  records: 200_000,
  answerBytes: 16 * 1024 * 1024,
  problemsShown: 50,
} as const;

/** Statuses of orders that have ended. */
const ENDED: readonly string[] = ['CLOSED', 'CANCELED', 'CANCELLED'];

export const hasEnded = (status: string): boolean => ENDED.includes(status);

export const balanceKey = (externalUserId: string, currency: string): string => `${currency} ${externalUserId}`;
