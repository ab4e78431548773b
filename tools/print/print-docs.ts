// Prints the pages under docs/ that say the same as a table in the code: errors, events, states, moves and settings. Run it after
// changing a table; a tidy test compares the pages with what would be printed. It must never print anything by hand that
// a table could say.

import { readdirSync, writeFileSync } from 'node:fs';
import type { Endpoint } from '../../contract/src/api/endpoint.ts';
import { API_KEY_STATUSES } from '../../contract/src/api/keys.ts';
import { SOMETIMES_DETAILS } from '../../contract/src/error-details.ts';
import { ERRORS, type ErrorCode } from '../../contract/src/errors.ts';
import { AGGREGATES } from '../../contract/src/event-fields.ts';
import { EVENTS } from '../../contract/src/events.ts';
import {
  APPROVAL_STATUSES,
  DEADLINE_STATUSES,
  DISPUTE_STATUSES,
  ESCROW_STATUSES,
  MILESTONE_STATUSES,
  ORDER_STATUSES,
  TOPUP_STATUSES,
  USER_STATUSES,
  WITHDRAWAL_STATUSES,
} from '../../contract/src/states.ts';
import type { Machine } from '../../server/src/base/machine.ts';
import { API_KEY_MACHINE } from '../../server/src/modules/api-keys/machine.ts';
import { APPROVAL_MACHINE } from '../../server/src/modules/approvals/machine.ts';
import { DISPUTE_MACHINE } from '../../server/src/modules/disputes/machine.ts';
import { ESCROW_MACHINE } from '../../server/src/modules/escrows/machine.ts';
import { ORDER_MACHINE } from '../../server/src/modules/orders/machine.ts';
import { MILESTONE_MACHINE } from '../../server/src/modules/orders/milestone-machine.ts';
import { DEADLINE_MACHINE } from '../../server/src/modules/policies/machine.ts';
import { TOPUP_MACHINE } from '../../server/src/modules/topups/machine.ts';
import { USER_MACHINE } from '../../server/src/modules/users/machine.ts';
import { WITHDRAWAL_MACHINE } from '../../server/src/modules/withdrawals/machine.ts';
import { MOVES_PAGE, printMoves } from './print-moves.ts';
import { printSettings, SETTINGS_PAGE } from './print-settings.ts';

const printedFrom = (table: string): string =>
  `Printed from \`${table}\` by \`node tools/print/print-docs.ts\`; do not edit it by hand.`;

const printTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [printRow(head), `|${head.map(() => '---|').join('')}`, ...rows.map(printRow)].join('\n');

const printRow = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;

const escaped = (cell: string): string => cell.replaceAll('|', '\\|');

const code = (text: string): string => `\`${text}\``;

const API = new URL('../../contract/src/api/', import.meta.url);

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const ENDPOINTS: readonly Endpoint[] = (
  await Promise.all(
    readdirSync(API)
      .sort()
      .map((file) => import(new URL(file, API).href)),
  )
).flatMap((module) => Object.values(module).filter(isEndpoint));

/** The status that an error has on a route: its own, unless the row of the route names another. */
const statusOn = ({ errorStatus = {} }: Endpoint, name: ErrorCode): number =>
  (errorStatus as Partial<Record<ErrorCode, number>>)[name] ?? ERRORS[name].status;

const routesOf = (name: ErrorCode): readonly Endpoint[] => ENDPOINTS.filter(({ errors }) => errors.includes(name));

/** In the order of the numbers; most codes have one. */
const statusesOf = (name: ErrorCode): readonly number[] =>
  [...new Set([ERRORS[name].status, ...routesOf(name).map((route) => statusOn(route, name))])].sort();

/** Codes whose status depends on the route, with every route of each status. */
const printSeveralStatuses = (): string => {
  const rows = (Object.keys(ERRORS) as ErrorCode[])
    .filter((name) => statusesOf(name).length > 1)
    .flatMap((name) =>
      statusesOf(name).flatMap((status) =>
        routesOf(name)
          .filter((route) => statusOn(route, name) === status)
          .map(({ method, path }) => [path, method] as const)
          .sort()
          .map(([path, method]) => [code(name), String(status), code(`${method} ${path}`)]),
      ),
    );
  return printTable(['Code', 'Status', 'Route'], rows);
};

export const printErrors = (): string => {
  const rows = Object.entries(ERRORS).map(([name, { message, details }]) => {
    const sometimes = SOMETIMES_DETAILS[name as ErrorCode];
    const more = sometimes
      ? [`${code(sometimes.name)} (${sometimes.fields.map(code).join(', ')}) ${sometimes.when}`]
      : [];
    return [
      code(name),
      statusesOf(name as ErrorCode).join(' or '),
      message,
      [...details.map(code), ...more].join(', '),
    ];
  });
  return `# Errors

${printedFrom('contract/src/errors.ts')}

The body of a refusal is \`{ error: { code, message, details } }\`. Programs should use \`code\`. \`message\` is for people: it may
change, and it may be more specific than the message in this table. \`details\` always contains \`requestId\`, which is also in the
header \`X-Request-ID\`, and \`docUrl\`, the address of the code on the server's own page \`/docs/errors\`; the last column lists the other
details of a code.

${printTable(['Code', 'Status', 'Message', 'Details'], rows)}

## Codes with two statuses

The status of these codes depends on the route. Compare \`code\`, and your program does not have to know the difference.

${printSeveralStatuses()}
`;
};

type Field = { readonly type?: unknown; readonly anyOf?: readonly Field[]; readonly items?: Field };

const kindOf = ({ type, anyOf, items }: Field): string => {
  if (anyOf) return anyOf.map(kindOf).join(' or ');
  return type === 'array' && items ? `array of ${kindOf(items)}` : String(type);
};

/** Strings are the rule, so only another kind is named. */
const printField = (name: string, field: Field, required: boolean): string => {
  const kind = kindOf(field);
  return code(required ? name : `${name}?`) + (kind === 'string' ? '' : ` (${kind})`);
};

export const printEvents = (): string => {
  const sections = AGGREGATES.map((aggregate) => {
    const rows = Object.entries(EVENTS)
      .filter(([, row]) => row.aggregate === aggregate)
      .map(([type, { payload }]) => {
        const required: readonly string[] = payload.required ?? [];
        const fields = Object.entries(payload.properties as Record<string, Field>);
        return [code(type), fields.map(([name, field]) => printField(name, field, required.includes(name))).join(', ')];
      });
    return `## ${aggregate}\n\n${printTable(['Event', 'Payload'], rows)}`;
  });
  return `# Events

${printedFrom('contract/src/events.ts')}

Every event has the envelope \`eventId\`, \`eventType\`, \`occurredAt\`, \`aggregateId\`, \`aggregateType\`, \`payload\`, \`metadata\`. The
headings are the aggregate types, which the stream's parameter \`resources\` takes. \`?\` marks a field that may be missing; a field
without a kind is a string, and amounts are decimal strings with two places. The aggregate id of a Balance is the user's id.
The stream of the [SDK](sdk.md#events) and [webhooks](webhooks.md) carry the same events.

\`user.created\` has no \`name\`: the specification fixes its fields, and an event is never rewritten, so a name in it could not be erased. Get the
user by its \`userId\`. \`user.updated\`, which the specification does not have, shows the name and what changed.

\`amount\` of \`order.released\` and \`order.milestone_released\` is what the seller got, after the fee. Their \`metadata\`, and that of
\`escrow.released\`, has the fee as \`platformFeeAmount\`; \`platformFee\` there is its older name, and an amount too. On an order
\`platformFee\` is a percentage, as the specification has it: read \`platformFeePercent\` and \`platformFeeAmount\` instead.

${sections.join('\n\n')}
`;
};

type AnyMachine = {
  readonly title: string;
  readonly states: readonly string[];
  readonly machine: Machine<string, string>;
};

const MACHINES: readonly AnyMachine[] = [
  { title: 'User', states: USER_STATUSES, machine: USER_MACHINE },
  { title: 'API key', states: API_KEY_STATUSES, machine: API_KEY_MACHINE },
  { title: 'Order', states: ORDER_STATUSES, machine: ORDER_MACHINE },
  { title: 'Escrow', states: ESCROW_STATUSES, machine: ESCROW_MACHINE },
  { title: 'Milestone', states: MILESTONE_STATUSES, machine: MILESTONE_MACHINE },
  { title: 'Dispute', states: DISPUTE_STATUSES, machine: DISPUTE_MACHINE },
  { title: 'Deadline', states: DEADLINE_STATUSES, machine: DEADLINE_MACHINE },
  { title: 'Approval', states: APPROVAL_STATUSES, machine: APPROVAL_MACHINE },
  { title: 'Top-up', states: TOPUP_STATUSES, machine: TOPUP_MACHINE },
  { title: 'Withdrawal', states: WITHDRAWAL_STATUSES, machine: WITHDRAWAL_MACHINE },
];

const list = (items: readonly string[] = []): string => items.map(code).join(', ');

/** Only columns that say something. */
const columnsOf = ({ rows }: AnyMachine['machine']) =>
  [
    { head: 'Guards', cell: (row: (typeof rows)[number]) => list(row.guards) },
    { head: 'Money', cell: (row: (typeof rows)[number]) => list(row.moves) },
    { head: 'Events', cell: (row: (typeof rows)[number]) => list(row.emits) },
  ].filter(({ cell }) => rows.some((row) => cell(row) !== ''));

const printMachine = ({ title, states, machine }: AnyMachine): string => {
  const columns = columnsOf(machine);
  const rows = machine.rows.map((row) => [
    ...[code(row.from), code(row.on), code(row.to)],
    ...columns.map(({ cell }) => cell(row)),
  ]);
  const arrows = machine.rows.map(({ from, on, to }) => `  ${from} --> ${to}: ${on}`);
  return `## ${title}

States: ${states.map(code).join(', ')}.

${printTable(['From', 'Action', 'To', ...columns.map(({ head }) => head)], rows)}

\`\`\`mermaid
stateDiagram-v2
${[...states.map((state) => `  ${state}`), ...arrows].join('\n')}
\`\`\``;
};

const printStates = (): string => `# States

${printedFrom('server/src/modules/*/*machine.ts')}

A transition that is not a row here is refused with \`INVALID_STATE\`, whose details carry \`currentState\` and \`allowedActions\`. An
action with a dot in its name is a report of an outside system. A caller can request the other actions. A guard is a check that a
requested action must pass; it runs after the state was checked. A request can also be refused for its input or for a missing balance,
see [errors.md](errors.md). An API key becomes \`EXPIRED\` by the clock and not by an action.

${MACHINES.map(printMachine).join('\n\n')}
`;

export const PAGES: readonly { readonly url: URL; print(): string }[] = [
  { url: new URL('../../docs/errors.md', import.meta.url), print: printErrors },
  { url: new URL('../../docs/events.md', import.meta.url), print: printEvents },
  { url: new URL('../../docs/states.md', import.meta.url), print: printStates },
  { url: MOVES_PAGE, print: printMoves },
  { url: SETTINGS_PAGE, print: printSettings },
];

if (import.meta.main) for (const { url, print } of PAGES) writeFileSync(url, print());
