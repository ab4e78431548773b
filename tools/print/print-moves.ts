// Prints the table of the moves of money for docs/moves.md: each move with its two accounts, named as in an exported journal.

import { MOVES, type MoveName } from '../../server/src/books/moves.ts';
import { exportAccount } from '../../server/src/modules/exports/account-names.ts';

export const MOVES_PAGE = new URL('../../docs/moves.md', import.meta.url);

const PARTIES = {
  currency: 'USD',
  userId: 'usr_USER',
  address: 'ADDRESS',
  toAddress: 'RECEIVER',
  orderId: 'ord_ORDER',
  contractId: 'CONTRACT',
} as const;

const nameOf = (id: string, move: MoveName): string =>
  `\`${exportAccount(id, move).name.replace('usr_USER', 'USER').replace('ord_ORDER', 'ORDER')}\``;

const rowOf = (move: MoveName): string => {
  const { from, to } = MOVES[move];
  return `| \`${move}\` | ${nameOf(from(PARTIES).id, move)} | ${nameOf(to(PARTIES).id, move)} |`;
};

export const printMoves = (): string => `# Moves of money

Printed from \`server/src/books/moves.ts\` by \`node tools/print/print-docs.ts\`; do not edit it by hand.

Every change of money is one of these moves, and each is one line of an [exported journal](finance.md#the-journal). The line debits \`from\` and
credits \`to\`. An asset or an expense in \`from\` grows, and a liability, income or equity in \`to\` grows.

| Move | \`from\`, debited | \`to\`, credited |
|---|---|---|
${(Object.keys(MOVES) as MoveName[]).map(rowOf).join('\n')}
`;
