// Credits or debits the available balance by hand; the counterpart is the operator's adjustments, or the opening balances when the user
// brings the money from another system. It never touches reserved money.

import type { COUNTER_ACCOUNTS } from '@holdfast/contract/api/balances.ts';
import type { AuditAction } from '@holdfast/contract/audit.ts';
import type { Balance } from '../../books/accounts.ts';
import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, availableChange, balanceNeeds, balanceOf, type Transfer } from '../../commit/money.ts';
import { type Counted, countNeeds, countTowardsLimits, limitNeed } from '../limits/day-counts.ts';
import { openingNeed, recordOpening } from './opening-credit.ts';

type CounterAccount = (typeof COUNTER_ACCOUNTS)[number];
type ByHand = Transfer & { readonly counterAccount?: CounterAccount };
type Name = 'credit' | 'debit';

type Change = { readonly input: ByHand; readonly before: Balance; readonly after: Balance };

const shared = ({ input: { userId, amount, currency }, before, after }: Change) => ({
  userId,
  amount: formatAmount(amount),
  currency,
  ...availableChange(before, after),
});

type Adjustment = {
  readonly action: AuditAction;
  /** What the limits of the marketplace count it as. */
  readonly counted?: Counted;
  emit(work: UnitOfWork, change: Change): void;
};

const isOpening = ({ counterAccount }: ByHand): boolean => counterAccount === 'opening_balances';

const moveOf = (name: Name, input: ByHand): Name | 'opening_credit' =>
  name === 'credit' && isOpening(input) ? 'opening_credit' : name;

const adjustment = (name: Name, { action, counted, emit }: Adjustment) =>
  command<ByHand, Balance>({
    name: `${name}-balance`,
    needs: (input) => {
      const { rows, accounts } = balanceNeeds(input, [moveOf(name, input)]);
      const opening = isOpening(input) ? [openingNeed(input)] : [];
      return { rows: [...rows, ...opening, ...(counted ? [limitNeed(input.currency)] : [])], accounts };
    },
    needsNext: (input, work) => ({ rows: counted ? countNeeds(work, { ...input, counted }) : [] }),
    decide(input, work) {
      const before = balanceOf(work, input);
      if (isOpening(input)) recordOpening(work, input);
      if (counted) countTowardsLimits(work, { ...input, counted });
      work.move(moveOf(name, input), input);
      const after = balanceOf(work, input);
      emit(work, { input, before, after });
      work.audit({
        action,
        resourceType: 'Balance',
        resourceId: input.userId,
        before: auditedBalance(before),
        after: {
          ...auditedBalance(after),
          amount: formatAmount(input.amount),
          reference: input.reference ?? null,
          ...(isOpening(input) ? { counterAccount: input.counterAccount } : {}),
        },
      });
      return after;
    },
  });

export const creditBalance = adjustment('credit', {
  action: 'BALANCE_CREDITED',
  counted: 'manualCredit',
  emit(work, change) {
    const { userId, reference } = change.input;
    const payload = {
      ...shared(change),
      source: isOpening(change.input) ? 'opening_balance' : 'manual',
      ...(reference ? { sourceId: reference } : {}),
    };
    work.emit({ type: 'balance.credited', aggregateId: userId, userId, payload });
  },
});

export const debitBalance = adjustment('debit', {
  action: 'BALANCE_DEBITED',
  emit(work, change) {
    const { userId, reference } = change.input;
    const payload = { ...shared(change), destination: 'manual', ...(reference ? { destinationId: reference } : {}) };
    work.emit({ type: 'balance.debited', aggregateId: userId, userId, payload });
  },
});
