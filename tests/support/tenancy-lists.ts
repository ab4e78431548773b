// Tables without a marketplace, and statements that read all marketplaces on purpose, each with its reason. Both are listed
// only here; docs/scaling.md shows them.

/** In the schema `public`, without a marketplace. */
export const HOUSE_TABLES: readonly { readonly name: string; readonly why: string }[] = [
  { name: 'schema_migrations', why: 'Which migrations the database has; one for all.' },
];

/** Schemas of libraries, whose tables have no marketplace. */
export const HOUSE_SCHEMAS: readonly { readonly name: string; readonly why: string }[] = [
  { name: 'pgboss', why: 'The job queue: a job is about all marketplaces, and each runs in one process at a time.' },
];

type AcrossStatement = {
  /** A part of its text that no other statement has; spaces and line breaks are one space. */
  readonly part: RegExp;
  readonly asks: string;
  readonly why: string;
  /** It is sent only where marketplaces are distributed, before each marketplace gets a statement of its own. */
  readonly isOfCluster?: true;
};

const WORK = 'Finds what a job has to do, wherever it is; what is found is then done marketplace by marketplace.';
const HINT =
  'An outside system tells of it and knows nothing of marketplaces; the rest is done in the one it is found in.';
const WHOLE = 'About the service as a whole, for its operator.';
const FLOAT =
  'The payment provider keeps one balance for the service, so it is compared with all marketplaces together.';
const PLACES = 'On a cluster: finds the marketplaces with rows that are due; each then gets a statement of its own.';
const TRIM = 'Throws away what has expired, a batch at a time; no marketplace is treated differently.';

/** On one PostgreSQL, the statement that follows finds its rows itself. */
const WHERE: readonly AcrossStatement[] = [
  { part: /^select t\.marketplace_id as "marketplaceId" from topups t where \(t\.status in/, asks: 'top-ups' },
  { part: /^select t\.marketplace_id as "marketplaceId" from topups t where t\.status in/, asks: 'ended top-ups' },
  { part: /^select t\.marketplace_id as "marketplaceId" from withdrawals t where t\.status in/, asks: 'withdrawals' },
  { part: /^select b\.marketplace_id as "marketplaceId" from breaks b where b\.kind/, asks: 'alerts about webhooks' },
  {
    part: /^select b\.marketplace_id as "marketplaceId" from breaks b where b\.resolved_at is null and exists/,
    asks: 'accepted breaks',
  },
  { part: /^select marketplace_id as "marketplaceId" from idempotency_answers/, asks: 'expired answers' },
  { part: /^select distinct marketplace_id as "marketplaceId" from login_attempts/, asks: 'login windows' },
].map(({ part, asks }) => ({ part, asks, why: PLACES, isOfCluster: true }));

/** Statements that may read all marketplaces. A new one needs its reason here, or a condition on marketplace_id. */
export const ACROSS: readonly AcrossStatement[] = [
  { part: /^select marketplace_id from marketplaces order by/, asks: 'all marketplaces, to prove each', why: WORK },
  {
    part: /^select marketplace_id from marketplaces$/,
    asks: 'all marketplaces, to trim the events of each',
    why: WORK,
  },
  {
    part: /^with due as \( select t\.marketplace_id, t\.id from topups/,
    asks: 'top-ups that are due for a look',
    why: WORK,
  },
  {
    part: /^with due as \( select t\.marketplace_id, t\.id, t\.updated_at/,
    asks: 'ended top-ups to read again',
    why: WORK,
  },
  { part: /where t\.late_amount = t\.amount and/, asks: 'top-ups that were paid late, to credit them', why: WORK },
  { part: /'late-topup' as kind, t\.id as subject/, asks: 'payments without their alert', why: WORK },
  {
    part: /^with due as \( select t\.marketplace_id, t\.id from withdrawals/,
    asks: 'withdrawals that are due for a look',
    why: WORK,
  },
  { part: /where t\.state = 'SIGNED' order by t\.created_at limit/, asks: 'transactions on their way', why: WORK },
  {
    part: /ending = 'rejected' order by t\.created_at limit/,
    asks: 'transactions that were refused lately',
    why: WORK,
  },
  { part: /"walletId" from wallets w where w\.status = 'PENDING'/, asks: 'wallets that are not active yet', why: WORK },
  {
    part: /from wallets t where \(t\.marketplace_id, t\.id\) > .* and \(t\.status = 'ACTIVE'/,
    asks: 'wallets to compare with the ledger',
    why: WORK,
  },
  {
    part: /from wallets t where \(t\.marketplace_id, t\.id\) > \(\$1, \$2\) and t\.type = 'INVISIBLE' order by/,
    asks: 'all custodial wallets, once after an update',
    why: WORK,
  },
  {
    part: /from wallets w where w\.owner <> 'user' and w\.status = 'ACTIVE'/,
    asks: "the platform's own wallets, to compare them with the ledger",
    why: WORK,
  },
  { part: /from moved_wallets t order by t\.moved_at limit/, asks: 'wallets that moved, to compare them', why: WORK },
  { part: /from wallets t where t\.address = any\(\$1\)/, asks: 'the wallets at the addresses of a page', why: HINT },
  { part: /from breaks where kind = \$1 and resolved_at is null/, asks: 'payments that were not credited', why: WORK },
  { part: /from wallets t where t\.owner = 'platform'/, asks: "platforms' wallets, to sweep their fees", why: WORK },
  {
    part: /^select marketplace_id as "marketplaceId", kind, subject from breaks where resolved_at is null/,
    asks: 'open breaks',
    why: WORK,
  },
  { part: /having coalesce\(-sum\(a\.balance\), 0\) < e\.amount/, asks: 'fundings that are incomplete', why: WORK },
  { part: /from escrows t join orders o/, asks: 'escrows to ask the provider about', why: WORK },
  { part: /^with places as \( \(select e\.marketplace_id/, asks: 'contracts to compare with the books', why: WORK },
  { part: /t\.status = 'WITHDRAWAL_CREATED' and t\.created_at <=/, asks: 'withdrawals to expire', why: WORK },
  { part: /and t\.status = 'WITHDRAWAL_COMMITTED' order by/, asks: 'withdrawals to carry on with', why: WORK },
  { part: /from projects t join orders o .* order by random\(\)/, asks: "projects' escrows left half-way", why: WORK },
  {
    part: /^update breaks b set resolved_at = now\(\) where b\.kind/,
    asks: 'alerts about webhooks that are decided',
    why: WORK,
  },
  {
    part: /^update breaks b set resolved_at = now\(\) where b\.resolved_at is null and exists/,
    asks: 'breaks that were accepted',
    why: WORK,
  },
  { part: /from webhook_events t where t\.next_attempt_at <=/, asks: 'webhooks to check again', why: WORK },
  {
    part: /^select distinct t\.marketplace_id as "marketplaceId" from webhook_endpoints t/,
    asks: 'marketplaces with webhook endpoints',
    why: WORK,
  },
  {
    part: /^select t\.marketplace_id as "marketplaceId", t\.id, t\.kind, t\.subject from alerts t/,
    asks: 'open alerts',
    why: WORK,
  },
  { part: /from alerts t where t\.opened_mail = 'DUE'/, asks: 'alerts whose e-mail is due', why: WORK },
  {
    part: /from breaks t where t\.resolved_at is null and t\.kind <> 'surplus'/,
    asks: 'breaks to alert about',
    why: WORK,
  },
  { part: /t\.state = 'RUNNING' and t\.attempts > 0/, asks: 'operations to alert about', why: WORK },
  { part: /t\.committed_at < case t\.status/, asks: 'withdrawals to alert about', why: WORK },
  { part: /t\.disabled_reason in \('GONE'/, asks: 'webhook endpoints to alert about', why: WORK },
  { part: /from deadlines t where t\.status = 'PENDING' and t\.at <= \$1/, asks: 'deadlines that are due', why: WORK },
  {
    part: /^select t\.marketplace_id .* from deadlines t where t\.status = 'PENDING' and t\.at < \$1/,
    asks: 'overdue deadlines to alert about',
    why: WORK,
  },
  { part: /from deadlines t where t\.status = 'HELD'/, asks: 'refused deadlines to alert about', why: WORK },
  {
    part: /from approvals t where t\.status = 'PENDING' and t\.expires_at/,
    asks: 'requests whose approval expires',
    why: WORK,
  },
  { part: /from approvals t where t\.status = 'APPROVING'/, asks: 'approved requests to continue', why: WORK },
  {
    part: /from approvals t where t\.status = 'PENDING' and t\.created_at/,
    asks: 'requests that wait for long, to alert about',
    why: WORK,
  },
  { part: /t\.arrived_at is null order by t\.created_at/, asks: 'transfers of float in transit', why: WORK },
  {
    part: /from provider_credentials t order by 1, 2$/,
    asks: 'own accounts at the payment provider, to compare',
    why: WORK,
  },
  { part: /'RUNNING' order by t\.next_attempt_at/, asks: 'operations under way, at the start', why: WORK },
  { part: /'RUNNING' and \(?t\.next_attempt_at <=/, asks: 'operations whose next attempt is due', why: WORK },
  { part: /^select distinct marketplace_id as id from treasury_payments/, asks: 'treasuries with payments', why: WORK },
  { part: /from escrows t where t\.provider_contract_id = \$1/, asks: 'the order of a contract', why: HINT },
  { part: /from marketplaces h where exists \(select 1 from orders/, asks: 'where an order is', why: HINT },
  { part: /from marketplaces h join topups t/, asks: 'where a top-up is', why: HINT },
  { part: /from marketplaces h join withdrawals t/, asks: 'where a withdrawal is', why: HINT },
  { part: /from topups t where t\.provider_payin_id = \$1/, asks: 'the top-up of a payin', why: HINT },
  { part: /from withdrawals t where t\.provider_payout_id = \$1/, asks: 'the withdrawal of a payout', why: HINT },
  { part: /union select p\.marketplace_id, p\.provider_account/, asks: 'the own account of a payment', why: HINT },
  { part: / select 'books' as kind/, asks: 'the books beside what is under way at the provider', why: FLOAT },
  {
    part: /^select exists \(select 1 from topups t/,
    asks: 'whether anything is under way at the provider',
    why: FLOAT,
  },
  {
    part: / books as materialized \( select -coalesce\(sum\(a\.balance\), 0\)::bigint as held/,
    asks: 'the float of all marketplaces, with what is in transit between them',
    why: FLOAT,
  },
  { part: /having -sum\(a\.balance\) </, asks: 'floats below their credit lines', why: WORK },
  {
    part: /^select \(count\(\*\) filter \(where f\.credit_line > 0\)\)::integer as lines/,
    asks: 'credit lines, granted and used, for metrics',
    why: WHOLE,
  },
  { part: /failing from proofs$/, asks: 'whether every last proof holds, for health and metrics', why: WHOLE },
  { part: /from proofs, jsonb_each_text/, asks: 'differences of the last proofs, for metrics', why: WHOLE },
  {
    part: /from breaks where resolved_at is null and kind <> 'surplus' group by kind/,
    asks: 'open breaks by kind, for health',
    why: WHOLE,
  },
  { part: /as oldest from approvals t where/, asks: 'requests that wait for approval, for metrics', why: WHOLE },
  { part: /from alerts where closed_at is null group by kind/, asks: 'open alerts by kind, for metrics', why: WHOLE },
  { part: /^select count\(\*\)::integer as count, min\(t\.at\)/, asks: 'overdue deadlines, for metrics', why: WHOLE },
  { part: /from accounts where id = 'network:fees:XLM'/, asks: 'fees paid to the network, for metrics', why: WHOLE },
  { part: /^select count\(\*\)::int as wallets from wallets w/, asks: 'wallets that wait, for metrics', why: WHOLE },
  {
    part: /from webhook_endpoints t join marketplaces m/,
    asks: 'webhook endpoints by status, for metrics',
    why: WHOLE,
  },
  {
    part: /^select count\(\*\)::integer as count from \(select 1 from webhook_deliveries t join webhook_endpoints e/,
    asks: 'deliveries of webhooks that wait, for metrics',
    why: WHOLE,
  },
  {
    part: /^select w\.marketplace_id as "marketplaceId", w\.status = 'ACTIVE' as "isActive", w\.sponsored_reserves/,
    asks: "treasuries' balances, for health",
    why: WHOLE,
  },
  { part: /as wallets from payment_holds t where t\.held/, asks: 'whether payments are held, for health', why: WHOLE },
  {
    part: /from payment_holds t where t\.id = 'all' and not t\.compared/,
    asks: 'marketplaces that were not compared',
    why: WHOLE,
  },
  { part: /from payment_holds t join wallets w .* where t\.held/, asks: 'wallets that are held', why: WHOLE },
  { part: / from marketplaces t where \$1::timestamptz is null/, asks: 'the list of marketplaces', why: WHOLE },
  { part: /from api_keys where name = \$1/, asks: 'active development keys', why: WHOLE },
  { part: /split_part\(sealed_secret/, asks: 'how many secrets each key has sealed, to rotate them', why: WHOLE },
  {
    part: /split_part\(t\.sealed_secrets/,
    asks: 'how many provider credentials each key has sealed, to rotate them',
    why: WHOLE,
  },
  {
    part: /split_part\(t\.sealed_totp, /,
    asks: 'how many secrets of operators each key has sealed, to rotate them',
    why: WHOLE,
  },
  {
    part: /split_part\(s\.sealed, /,
    asks: 'how many secrets of webhook endpoints each key has sealed, to rotate them',
    why: WHOLE,
  },
  { part: /^delete from idempotency_answers/, asks: 'expired answers', why: TRIM },
  { part: /^delete from login_attempts where ends_at/, asks: 'login windows that are over', why: TRIM },
  ...WHERE,
];

const LOST_NODE = 'When a machine of a distributed database does not answer; the drills of a cluster call it.';

/** Functions with SQL that tenancy-life.ts does not reach, because they run only after a fault. */
export const NOT_LIVED: readonly { readonly call: string; readonly why: string }[] = [
  {
    call: 'group.ts wasCommitted',
    why: 'After a lost answer; asks for one audit entry by its marketplace and number.',
  },
  {
    call: 'by-marketplace.ts send',
    why: 'Where marketplaces are distributed: hands a statement on, which is sent without it on one PostgreSQL.',
  },
  {
    call: 'login-attempts.ts takeBack',
    why: 'Of an attempt whose password could not be checked. Each login calls the function of the store by this name.',
  },
  ...['askNodes', 'checkNode', 'findAnswering', 'narrowed'].map((name) => ({
    call: `answering.ts ${name}`,
    why: LOST_NODE,
  })),
  ...['among', 'asked', 'findPlaces', 'report', 'lose', 'rest', 'run', 'untilItAnswers', 'watch', 'watchNodes'].map(
    (name) => ({
      call: `lost-nodes.ts ${name}`,
      why: LOST_NODE,
    }),
  ),
];
