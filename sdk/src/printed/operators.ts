// What these routes take and give.
// Printed from contract/src/api/operators.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

/** E-mail address; unique among all operators of the server, in any case of its letters. */
export type Email = string;

export type InvitedOperator = {
  /** Id of the operator. */
  id: string;
  /** E-mail address, for the sign-in. */
  email: string;
  /** Name, as the audit trail shows it. */
  name: string;
  /**
   * `viewer` reads; `support` also writes, but moves no money by hand, and decides disputes; `finance` also credits,
   * debits and pays out; `admin` may do everything in the marketplace.
   */
  role: 'viewer' | 'support' | 'finance' | 'admin';
  /** What the role permits; `*` means all. */
  scopes: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
  /** The marketplace of the operator. */
  marketplaceId: string;
  /** Whether the operator may work in every marketplace, by X-Marketplace-Id. */
  everywhere: boolean;
  /** INVITED: the invitation was not accepted yet. Only an ACTIVE operator can sign in. */
  status: 'INVITED' | 'ACTIVE' | 'DISABLED';
  /** Whether the operator can sign in with a password. */
  hasPassword: boolean;
  /** Whether an app that shows codes is registered as second factor. */
  hasTotp: boolean;
  /** How many passkeys are registered. */
  passkeys: number;
  /** Whether the operator has signed in through the single sign-on. */
  hasSingleSignOn: boolean;
  /** When the open invitation expires; null when there is none. */
  inviteExpiresAt: string | null;
  /** When the operator was created. */
  createdAt: string;
  /** When the operator was last changed. */
  updatedAt: string;
  /** The link of the invitation. It is shown only once and works once, for seven days: send it to the person. */
  inviteUrl: string;
};

export type Operator = {
  /** Id of the operator. */
  id: string;
  /**
   * E-mail address, for the sign-in. Null for callers who may not do everything in the marketplace, except about
   * themselves.
   */
  email: string | null;
  /** Name, as the audit trail shows it. */
  name: string;
  /**
   * `viewer` reads; `support` also writes, but moves no money by hand, and decides disputes; `finance` also credits,
   * debits and pays out; `admin` may do everything in the marketplace.
   */
  role: 'viewer' | 'support' | 'finance' | 'admin';
  /** What the role permits; `*` means all. */
  scopes: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
  /** The marketplace of the operator. */
  marketplaceId: string;
  /** Whether the operator may work in every marketplace, by X-Marketplace-Id. */
  everywhere: boolean;
  /** INVITED: the invitation was not accepted yet. Only an ACTIVE operator can sign in. */
  status: 'INVITED' | 'ACTIVE' | 'DISABLED';
  /** Whether the operator can sign in with a password. */
  hasPassword: boolean;
  /** Whether an app that shows codes is registered as second factor. */
  hasTotp: boolean;
  /** How many passkeys are registered. */
  passkeys: number;
  /** Whether the operator has signed in through the single sign-on. */
  hasSingleSignOn: boolean;
  /** When the open invitation expires; null when there is none. */
  inviteExpiresAt: string | null;
  /** When the operator was created. */
  createdAt: string;
  /** When the operator was last changed. */
  updatedAt: string;
};

export type OperatorSession = {
  /** Id of the session. It is not secret. */
  id: string;
  /** The operator of the session. */
  operatorId: string;
  /** How the operator signed in. */
  method: 'password' | 'passkey' | 'single-sign-on' | 'invitation';
  /** Network address of the sign-in. */
  address: string;
  /** Browser of the sign-in, as it describes itself. */
  userAgent: string;
  /** When the operator signed in. */
  createdAt: string;
  /** When the session was last used, accurate to a few seconds. */
  lastUsedAt: string;
  /** When the session ends at the latest. It ends earlier when it is not used. */
  expiresAt: string;
  /** Whether this request was made with the session. */
  isOwn: boolean;
};

export type CreateOperatorInput = {
  /** E-mail address; unique among all operators of the server, in any case of its letters. */
  email: string;
  /**
   * Name of the person, as the audit trail shows it. One line with at least one visible character, without control
   * characters.
   */
  name: string;
  /**
   * `viewer` reads; `support` also writes, but moves no money by hand, and decides disputes; `finance` also credits,
   * debits and pays out; `admin` may do everything in the marketplace.
   */
  role: 'viewer' | 'support' | 'finance' | 'admin';
  /** Whether the operator may work in every marketplace. Only with the master key. */
  everywhere?: boolean;
};

export type ListOperatorSessionsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
};

export type ListOperatorsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  status?: 'INVITED' | 'ACTIVE' | 'DISABLED';
  /**
   * `viewer` reads; `support` also writes, but moves no money by hand, and decides disputes; `finance` also credits,
   * debits and pays out; `admin` may do everything in the marketplace.
   */
  role?: 'viewer' | 'support' | 'finance' | 'admin';
};

export type UpdateOperatorInput = {
  /**
   * Name of the person, as the audit trail shows it. One line with at least one visible character, without control
   * characters.
   */
  name?: string;
  /**
   * `viewer` reads; `support` also writes, but moves no money by hand, and decides disputes; `finance` also credits,
   * debits and pays out; `admin` may do everything in the marketplace.
   */
  role?: 'viewer' | 'support' | 'finance' | 'admin';
  /** Whether the operator is kept from signing in. */
  disabled?: boolean;
};
