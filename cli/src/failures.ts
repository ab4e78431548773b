// Errors as a sentence with the next step, and the matching exit code for programs. Never prints a stack trace or a key.

import { type AnyHoldfastError, HoldfastError } from '@holdfast/sdk';

export const EXIT = { fine: 0, refused: 1, usage: 2, unreachable: 3, waiting: 4, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

type Failure = Error & { readonly exitCode: ExitCode };

/** An error that the CLI itself found. */
export const failure = (message: string, exitCode: ExitCode = EXIT.refused): Failure =>
  Object.assign(new Error(message), { exitCode });

export const wrongUsage = (message: string): Failure => failure(message, EXIT.usage);

export type Report = {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  readonly json: Record<string, unknown>;
};

const NEXT: Partial<Record<AnyHoldfastError['code'], string>> = {
  UNAUTHORIZED:
    'Give a key with --key or HOLDFAST_KEY, or save one with `holdfast login`. --verbose shows which key is used.',
  CONNECTION_FAILED: 'Start a server with `holdfast dev`, or set its address with --url or HOLDFAST_URL.',
  RATE_LIMITED: 'Wait, or use a key with a higher limit: `holdfast keys create --rate-limit`.',
  ORDER_NOT_FOUND: '`holdfast orders list` shows the existing orders.',
  USER_NOT_FOUND: '`holdfast users list` shows the existing users.',
  DISPUTE_NOT_FOUND: '`holdfast disputes list` shows the existing disputes.',
  TOPUP_NOT_FOUND: '`holdfast topups list` shows the existing top-ups.',
  WITHDRAWAL_NOT_FOUND: '`holdfast withdrawals list` shows the existing withdrawals.',
  APPROVAL_NOT_FOUND: '`holdfast approvals list` shows the existing ones.',
  WEBHOOK_ENDPOINT_NOT_FOUND: '`holdfast webhooks list` shows the existing endpoints.',
  WEBHOOK_DELIVERY_NOT_FOUND: '`holdfast webhooks deliveries` shows the deliveries that are kept.',
  WEBHOOK_ENDPOINT_LIMIT: '`holdfast webhooks delete` makes room for another one.',
  MARKETPLACE_NOT_FOUND:
    '`holdfast marketplaces list` shows the existing ones. A marketplace begins with its first key: `holdfast --marketplace <id> keys create <name>` with the master key.',
};

/** The next steps that depend on the details. */
const nextOf = (error: AnyHoldfastError): string | undefined => {
  if (error.code === 'APPROVAL_PENDING') {
    const { approval, key, inviteUrl } = error.details;
    const secret = key ?? inviteUrl;
    const kept = secret === undefined ? '' : `Keep this, it is shown only once and works when approved: ${secret}\n`;
    return `${kept}Another person runs \`holdfast approvals approve ${approval.id}\`; \`holdfast approvals show\` shows what became of it.`;
  }
  if (error.code === 'INSUFFICIENT_SCOPE') {
    return error.details.requiredScope === 'master'
      ? 'Only the master key may do this. Ask the operator.'
      : 'Use a key that has the scope; `holdfast keys create` creates one.';
  }
  if (error.code === 'INVALID_STATE' && error.message.startsWith('The webhook endpoint is disabled'))
    return '`holdfast webhooks update <endpointId> --enable` enables it.';
  if (error.code !== 'INSUFFICIENT_FUNDS') return NEXT[error.code];
  if (!error.details.float) return '`holdfast users credit` or a top-up adds money.';
  // The operator moves float with the same refusal; its message says what to do.
  if (!error.message.includes('withdrawal')) return undefined;
  return 'Ask the operator to allot float (`holdfast marketplaces float <id> <amount>`) or to grant a credit line; a credit by hand does not help.';
};

const exitCodeOf = ({ code }: AnyHoldfastError): ExitCode => {
  if (code === 'APPROVAL_PENDING') return EXIT.waiting;
  return code === 'CONNECTION_FAILED' || code === 'TIMED_OUT' || code === 'UNEXPECTED_ANSWER'
    ? EXIT.unreachable
    : EXIT.refused;
};

/** The server's messages end with this sentence too; it is printed once. */
const NO_ACTIONS = 'No further actions are possible.';

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Fields of requests, and the options of this tool that set them. */
const OPTIONS: readonly (readonly [field: RegExp, option: string])[] = [
  [/Name yours in columns\.(\w+)\./g, 'Name yours with --column "$1=<name of the column>".'],
  [/\breleaseAmount\b/g, '--seller'],
  [/\brefundAmount\b/g, '--buyer'],
];

const withOptions = (text: string): string =>
  OPTIONS.reduce((changed, [field, option]) => changed.replace(field, option), text);

/**
 * Explains the details of the codes that have useful ones. A server of another version, or a proxy, may omit the details:
 * the message itself must still appear.
 */
const detailLines = (error: AnyHoldfastError): string[] => {
  if (error.code === 'VALIDATION_ERROR')
    return listOf(error.details.validationErrors).map((each) => `  - ${withOptions(each)}`);
  if (error.code === 'WALLET_PROOF_INVALID' && error.details.reason) return [`  Reason: ${error.details.reason}`];
  if (error.code === 'INSUFFICIENT_SCOPE' && error.details.requiredScope) {
    const { requiredScope, scopes } = error.details;
    if (requiredScope === 'master') return [];
    return [`  Required scope: ${requiredScope}. Scopes of the key: ${listOf(scopes).join(', ') || 'none'}.`];
  }
  if (error.code === 'INVALID_STATE' && error.details.currentState) {
    const { currentState, allowedActions } = error.details;
    const allowed = listOf(allowedActions).join(', ');
    if (allowed !== '') return [`  Current state: ${currentState}. Possible actions: ${allowed}.`];
    return error.message.includes(NO_ACTIONS) ? [] : [`  Current state: ${currentState}. ${NO_ACTIONS}`];
  }
  if (error.code === 'DAILY_LIMIT_EXCEEDED' && error.details.limitAmount) {
    const { limitAmount, used, requested, currency, resetsAt } = error.details;
    return [
      `  Limit of a day: ${limitAmount} ${currency}. Used today: ${used} ${currency}. Requested: ${requested} ${currency}.`,
      `  The new day begins at ${resetsAt}.`,
    ];
  }
  if (error.code === 'INSUFFICIENT_FUNDS' && error.details.requested) {
    const { requested, available, currency, float } = error.details;
    if (float) {
      return [
        `  Float of the marketplace: ${float.held} ${currency}. Open withdrawals: ${float.pendingPayouts} ${currency}. Credit line: ${float.creditLine} ${currency}.`,
        `  Requested: ${requested} ${currency}. Available: ${available} ${currency}.`,
      ];
    }
    return [`  Requested: ${requested} ${currency}. Available: ${available} ${currency}.`];
  }
  return [];
};

const repeatable = new WeakMap<Error, boolean>();

/** Whether the failed command accepts the idempotency key of the failed call. The first mark counts. */
export const markRepeatable = (error: unknown, isRepeatable: boolean): void => {
  if (error instanceof Error && !repeatable.has(error)) repeatable.set(error, isRepeatable);
};

/** Warns that a retry may pay twice. The message of a time-out already says so. */
const doubtLines = (error: AnyHoldfastError): string[] => {
  const { code, outcomeUnknown, idempotencyKey } = error;
  if (!outcomeUnknown) return [];
  const key = repeatable.get(error) ? idempotencyKey : null;
  return [
    ...(code === 'TIMED_OUT' ? [] : ['The request may have succeeded: check its effect before you repeat it.']),
    ...(key === null ? [] : [`To retry safely, repeat the command with --idempotency-key ${key}.`]),
  ];
};

const withoutDetails = (message: string): string =>
  message.replace(/; see details\.\w+| See details\.\w+\.$/, '').replace(/^(The request is not valid): .*$/s, '$1.');

export const reportOf = (error: unknown): Report => {
  if (error instanceof HoldfastError) {
    const { code, message, status, requestId, details, outcomeUnknown, idempotencyKey } = error;
    const next = nextOf(error);
    const explained = detailLines(error);
    // The details are printed below the message, so a pointer to them would point nowhere.
    const isExplained = explained.length > 0 || code === 'INSUFFICIENT_SCOPE';
    const sentence = isExplained ? withoutDetails(message) : message;
    return {
      exitCode: exitCodeOf(error),
      lines: [
        status === null ? sentence : `${code}: ${withOptions(sentence)}`,
        ...doubtLines(error),
        ...explained,
        ...(next === undefined ? [] : [next]),
        ...(requestId === null ? [] : [`Request ${requestId}`]),
      ],
      json: { code, message, status, requestId, details, outcomeUnknown, idempotencyKey },
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const { exitCode = EXIT.refused } = error as Partial<Failure>;
  return { exitCode, lines: [message], json: { code: exitCode === EXIT.usage ? 'WRONG_USAGE' : 'FAILED', message } };
};
