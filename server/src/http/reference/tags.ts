// What each group of routes is for: what the noun is, what usually happens in which order, and which events tell of it. A linter test finds a
// tag without a text.

const ORDER_STATES = `
| Status | Meaning | Next |
|---|---|---|
| \`ORDER_CREATED\` | Agreed; no money has moved. | \`POST /orders/{id}/reserve\`, \`…/cancel\` |
| \`FUNDS_RESERVED\` | The buyer's money is set aside. | \`POST /orders/{id}/escrow\`, \`…/cancel\` |
| \`ESCROW_CREATING\` | The contract is being deployed. | wait |
| \`ESCROW_FUNDING\` | The contract exists and has no money yet. | \`POST /orders/{id}/escrow/fund\` |
| \`IN_PROGRESS\` | The money is in escrow. | \`POST /orders/{orderId}/resolution/release\`, \`…/refund\`, \`…/dispute\` |
| \`RELEASE_REQUESTED\`, \`REFUND_REQUESTED\` | The payment is being made. | wait |
| \`DISPUTED\` | A dispute decides about the money. | \`POST /disputes/{id}/resolve\` |
| \`CLOSED\` | The end. \`finalStatus\` says how: released, refunded, split or cancelled. | none |
`;

const MONEY_TEXTS: Readonly<Record<string, string>> = {
  Users: `A user is a buyer or a seller of a marketplace. Create one user for each customer of yours and keep its \`id\`; \`externalUserId\` is your own
id, and a repeated request with it returns the user that exists. Every user has a balance and, from the first deposit on, a wallet on the
ledger. A suspended user keeps the money and starts nothing new. Events: \`user.created\`, \`user.payment_account_linked\`.`,
  Balances: `A balance has two parts: \`available\` money can be spent, \`reserved\` money is set aside for an order; \`total\` is both. Orders, top-ups and
withdrawals change balances by themselves. The routes here are for changes that a marketplace makes itself, such as a welcome present or a
deposit for a rented thing. Amounts are decimal strings. Send an \`Idempotency-Key\` with every change, so that a repeat does not count twice.
Events: \`balance.credited\`, \`balance.debited\`, \`balance.reserved\`, \`balance.released\`.`,
  Orders: `An order is an agreement between a buyer and a seller about an amount. The usual way is: create, reserve, create the escrow, fund it, release.
The platform fee (5 percent unless the order or its policy says otherwise) is taken from the seller's part at the release: of 40.00 the seller gets
38.00. An order can be paid in milestones, refunded, disputed, or cancelled before its escrow has money. A state that does not allow an action is 400
\`INVALID_STATE\`, and \`details.allowedActions\` lists what is possible.
${ORDER_STATES}
Events: \`order.*\` and \`escrow.*\`. See [states](/docs/states).`,
  Disputes: `A dispute stops an order whose money is in escrow, or one of its milestones. The buyer or the seller opens it, both send evidence and
messages, an agent takes it (\`OPEN\` becomes \`UNDER_REVIEW\`) and resolves it: everything to the seller, everything to the buyer, or a split. The
resolution pays at once and closes the order. Events: \`dispute.opened\`, \`dispute.under_review\`, \`dispute.resolved\`.`,
  'Top-ups': `A top-up is a payment of a user into the own balance, through the payment provider. Create it, send the payer to \`confirmationUri\`, and wait for
the event \`topup.succeeded\`: the balance is credited once, when the provider reports the payment. In the sandbox
\`POST /sandbox/payins/{id}/confirm\` plays the payer.`,
  Withdrawals: `A withdrawal pays money from a balance to a bank, a payment account or an address on the ledger. Creating it reserves the amount; committing
it pays it out once. \`commit: true\` does both. The answer does not wait for the payment: follow \`withdrawal.completed\` and \`withdrawal.failed\`.
Money of a failed withdrawal is back in the balance.`,
  Wallets: `Every user has a wallet on the ledger that this server keeps; its address is created on first use, and what arrives there is credited. A user
may also link a wallet of the own and prove to hold its key. The treasury is the operator's own wallet, which funds what users spend on the
ledger. Events: \`user.ledger_linked\`, \`wallet.proved\`.`,
  Policies: `A policy is a named set of rules for orders: deadlines and what happens when they pass, reminders, the platform fee, and who may do what. An
order takes the newest version of a policy when it is created and keeps it. A deadline can be held, resumed, extended or triggered; the outlook of an
order shows what comes next if no one acts. See [policies](/docs/policies).`,
  Receipts: `A receipt shows the figures of an order whose money has been in escrow: as JSON, as a page or as PDF. A public link lets a person without a key
read the page; it can be revoked.`,
};

const WORK_TEXTS: Readonly<Record<string, string>> = {
  Service: `Configuration and health of this server, its scheduled jobs, the keys that seal its wallets, and the hold that stops all outgoing payments.
\`GET /config\` shows every limit of the API and needs no key.`,
  Keys: `An API key belongs to one marketplace and has scopes. The master key of the server creates the first key of a marketplace, and with it the
marketplace itself. A key is shown once. It can be rotated with an overlap, revoked at once, and exchanged for short-lived tokens. Scopes: \`read\`, \`write\`
(which contains \`treasury\` and \`payout\` unless the server says otherwise), \`support\` and \`*\`.`,
  Operators: `Operators are people with an account of the console: an administrator invites them by e-mail address, and a role decides what they may do. Their
sessions can be listed and ended. See [operators](/docs/operators).`,
  Reports: `Figures about a marketplace: where the money is, fees earned, payouts made, open items, and the closing of a month. Most reports also answer CSV.
They are heavy reads, so only a few run at once. See [finance](/docs/finance).`,
  Audit: `The audit trail records every change with its actor, as a chain of hashes. The proof adds up all postings and compares them with balances, holdings
and outside systems: it says whether every cent is accounted for.`,
  Exports: `The journal of all postings as a file for bookkeeping programs. The same range always gives the same bytes. See [finance](/docs/finance).`,
  Notes: `Notes that people write about orders, users, disputes, payments and breaks, for each other. Users never see them.`,
  Operations: `An operation is work with an outside system on behalf of an order, such as funding an escrow. A request waits for it a few seconds and
answers 504 \`PROVIDER_TIMEOUT\` when it takes longer; the operation goes on, and is repeated safely until its outcome is known. Alerts are conditions
that a person has to look at.`,
  Webhooks: `What the payment provider and the escrow provider send to this server. You do not call these routes. Your own endpoints are in “Webhooks out”.`,
  Marketplaces: `A marketplace has its own users, orders, keys and books; marketplaces of one server never see each other. It begins with its first key. The
operator of the server sets its limits, its part of the money at the payment provider (float), and its own account there. All routes need the master key.`,
  Reconciliation: `A job compares the books with the ledger and the payment provider every ten minutes. A difference that is seen twice is a break: an
observation that moves no money. A surplus is money in an escrow contract beyond what its order needs. Events: \`system.break_opened\`,
\`system.break_closed\`.`,
  'Provider statements': `Upload the file of the payment provider or of the ledger, and this server compares each line with its own records: matched, other
amount, missing here, missing there. See [finance](/docs/finance).`,
  Events: `Every change is an event. The stream sends the events of a marketplace in their order as server-sent events, and replays them from any point of the
last 30 days. Delivery is at least once. \`Webhooks out\` is the other way to get them. See [events](/docs/events).`,
  'Webhooks out': `Addresses of yours to which this server sends the events of your marketplace, signed as Standard Webhooks describes. Create an endpoint, keep its
secret, verify the signature of the raw body, and answer 2xx. Failed deliveries are repeated for days; the log shows each attempt. See
[webhooks](/docs/webhooks).`,
  Approvals: `Rules say which requests a second person has to approve, for example credits from 500.00 on. Such a request answers 202 and waits; another actor
approves or rejects it, and the requester can cancel it. Events: \`approval.requested\`, \`approval.approved\`, \`approval.rejected\`. See
[approvals](/docs/approvals).`,
  Corrections: `A correction brings a record out of a state that no other route can leave, such as a top-up that was paid after it was cancelled. The outside
systems are asked first, and each correction needs a reason. See [corrections](/docs/corrections).`,
  Sandbox: `Controls of the simulated outside systems: play the payer, break a provider, move the clock, deposit play money. They exist only while the sandbox is
on. See [sandbox](/docs/sandbox).`,
};

/** Surface B, whose balances and wallets are those of the caller. */
const SURFACE_B_TEXTS: Readonly<Record<string, string>> = {
  People:
    'Registration and log-in of Surface B. Both answer a token, which the other routes take as `Authorization: Bearer <token>`.',
  Projects:
    'Projects of the caller. A project has a budget, which is the most that its escrow can hold, and at most one escrow.',
  Escrow: `The escrow of a project. One request reserves the buyer's money, deploys the contract and funds it; a second one releases it to the seller,
minus the platform fee.`,
};

const TAG_TEXTS: Readonly<Record<string, string>> = { ...MONEY_TEXTS, ...WORK_TEXTS, ...SURFACE_B_TEXTS };

const PLACES = new Map(Object.keys(TAG_TEXTS).map((name, place) => [name, place]));

/** The tags of a document in the order of their texts: money first, then the work around it. */
export const tagsOf = (names: readonly string[]): { name: string; description?: string }[] =>
  [...new Set(names)].sort((a, b) => (PLACES.get(a) ?? PLACES.size) - (PLACES.get(b) ?? PLACES.size)).map(tagOf);

/** A tag of a document, with its text. */
const tagOf = (name: string): { name: string; description?: string } => {
  const description = TAG_TEXTS[name]?.trimEnd();
  return description === undefined ? { name } : { name, description };
};
