// Allots float to a marketplace or takes it back. For the default marketplace it books money that the operator added at
// the payment provider, or took out there.

import type { FloatTransfer, Marketplace } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { AmountField } from '../../parts/fields.tsx';
import { amountOf, amountProblem, formatAmount, plainAmount } from '../../parts/money/amounts.ts';
import { unitsOf } from '../../parts/money/balances.ts';
import { FormConfirm } from '../../parts/money/form-confirm.tsx';
import { effectBetween } from '../../parts/money/preview.ts';
import { useClient } from '../../session.tsx';
import { refusalsOf } from './saving.ts';

export type Direction = 'allot' | 'take-back';

type Props = {
  readonly marketplace: Marketplace;
  readonly direction: Direction | null;
  readonly onClose: () => void;
};

/** The operator's own money is here until it is allotted. */
const DEFAULT_MARKETPLACE = 'mkt_default';

const OWN_FLOAT = { none: 'the balance at the payment provider decides.' };

export const verbOf = (id: string, direction: Direction): string => {
  if (id === DEFAULT_MARKETPLACE) return direction === 'allot' ? 'Book added money' : 'Book removed money';
  return direction === 'allot' ? 'Allot float' : 'Take float back';
};

export const MoveFloat = ({ marketplace: { id, float }, direction, onClose }: Props) => {
  const client = useClient();
  const [amount, setAmount] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  useEffect(() => {
    if (direction === null) return;
    setAmount('');
    setChecked(false);
    setRefusal(null);
  }, [direction]);
  const act = useMoveFloat({ id, onClose });
  const refused = refusalsOf(act.error ?? refusal, ['amount']);
  const wrong = amountProblem(amount);
  const isAllotting = direction === 'allot';
  const verb = verbOf(id, direction ?? 'allot');
  const { currency } = float;
  const shown = `${formatAmount(unitsOf(amount))} ${currency}`;
  const input = { amount: `${isAllotting ? '' : '-'}${plainAmount(amount)}`, currency } as const;
  return (
    <FormConfirm
      isOpen={direction !== null}
      onClose={onClose}
      title={verb}
      check={() => {
        setChecked(true);
        return !wrong;
      }}
      act={act}
      tone={isAllotting ? 'accent' : 'bad'}
      confirm={`${verb}: ${shown}`}
      onConfirm={() => act.mutate(input)}
      preview={
        id === DEFAULT_MARKETPLACE
          ? OWN_FLOAT
          : {
              key: ['marketplaces', id, input],
              ask: () => client.marketplaces.allotFloat(id, input, { dryRun: true }),
              more: (reply) => [
                effectBetween({
                  name: `Float of ${id}`,
                  currency,
                  before: float.held,
                  after: (reply as FloatTransfer).float.held,
                }),
              ],
            }
      }
      onRefusal={setRefusal}
      sentence={<p>{sentenceOf(id, direction ?? 'allot')}</p>}
    >
      <AmountField
        label="Amount"
        value={amount}
        hint={isAllotting ? undefined : `${formatAmount(amountOf(float.allotted))} ${currency} allotted and not used`}
        error={(isChecked ? wrong : undefined) ?? refused.amount ?? refused['']}
        onChange={(event) => setAmount(event.target.value)}
      />
    </FormConfirm>
  );
};

type Input = { readonly amount: string; readonly currency: 'USD' };

const useMoveFloat = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const client = useClient();
  return useAction({
    run: (input: Input, once) => client.marketplaces.allotFloat(id, input, once),
    done: ({ amount, currency, from, to, arrivedAt }) => ({
      title: `${formatAmount(amountOf(amount))} ${currency} moved from ${from} to ${to}`,
      ...(arrivedAt === null ? { text: 'It is in transit and arrives shortly.' } : {}),
    }),
    failed: 'The float was not moved',
    touches: [['marketplaces'], ['audit'], ['breaks']],
    quiet: true,
    onDone: onClose,
  });
};

const sentenceOf = (id: string, direction: Direction): string => {
  if (id === DEFAULT_MARKETPLACE) {
    return direction === 'allot'
      ? 'Books money that you added at the payment provider. At most what its balance shows beyond all books.'
      : 'Books money that you took out at the payment provider. At most what its balance lacks.';
  }
  return direction === 'allot'
    ? `Moves the operator’s money from ${DEFAULT_MARKETPLACE} to ${id}.`
    : `Returns what was allotted to ${id} and is not promised. The deposits of its users stay.`;
};
