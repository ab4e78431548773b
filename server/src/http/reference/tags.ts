// What each group of routes is for: one sentence per tag of the two OpenAPI documents. A linter test finds a tag without one.

const TAG_TEXTS: Readonly<Record<string, string>> = {
  Service: 'Configuration, health, wallet keys, the hold of payments and the scheduled jobs of this server.',
  Keys: 'API keys, the short-lived tokens made from them, and who the caller is.',
  Operators: 'The people who work in the console: invitations, scopes and sessions.',
  Users: 'Buyers and sellers of a marketplace, with their reservations and statements.',
  Balances: 'Available and reserved money of a user, and the changes a marketplace makes itself.',
  Reports: 'Closings, sums by owner and place, activity by day, and items that need attention.',
  Audit: 'The audit trail and its hash chain, and the proof that every cent is accounted for.',
  Exports: 'The journal as a file for bookkeeping programs.',
  Wallets: 'The ledger wallets of users and of the treasury: addresses, transactions and linked wallets.',
  Policies: 'Rules that set deadlines for orders, and the deadlines that they set.',
  Notes: 'Notes that operators write on orders, users, disputes, payments and breaks.',
  Disputes: 'Disputes about orders: opening, assignment, evidence, messages and resolution.',
  Orders: 'Orders from creation through reservation, escrow and milestones to release or refund.',
  Receipts: 'Receipts of orders as figures, pages and PDF files, and their public links.',
  Operations: 'Work with outside systems that is in progress or has ended, and alerts.',
  Webhooks:
    'What the payment provider and the escrow provider send to this server. Your own endpoints are in “Webhooks out”.',
  'Top-ups': 'Payments of users into their balance through the payment provider.',
  Withdrawals: 'Payments from the balance of a user to a wallet, a bank or a payment account.',
  Marketplaces: 'The marketplaces of this server, with their payment accounts, float and limits.',
  Reconciliation: 'Differences between the books and the outside systems, and surpluses of escrow contracts.',
  'Provider statements':
    'Statements of the payment provider and of the ledger, compared with the records of the marketplace.',
  Events: 'Every event of a marketplace, in order, as server-sent events.',
  'Webhooks out':
    'Addresses of yours to which this server sends the events of your marketplace, and the log of what was sent.',
  Approvals: 'Requests that a second person decides, and the rules that say which requests these are.',
  Corrections: 'Corrections of the books by hand, each with a reason.',
  Sandbox: 'Controls of the simulated outside systems. They exist only while the sandbox is on.',
  People: 'Registration and log-in of Surface B.',
  Projects: 'Projects of the caller, each with a budget that limits its escrow.',
  Escrow: 'Escrow of a project: initialisation and release.',
};

/** A tag of a document, with its sentence. */
export const tagOf = (name: string): { name: string; description?: string } => {
  const description = TAG_TEXTS[name];
  return description === undefined ? { name } : { name, description };
};
