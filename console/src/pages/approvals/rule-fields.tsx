// The fields of one approval rule.

import type { ApprovalRule } from '@holdfast/sdk';
import { Button } from '../../parts/button.tsx';
import { AmountField, SelectField } from '../../parts/fields.tsx';
import { amountProblem, plainAmount } from '../../parts/money/amounts.ts';
import { CURRENCIES } from '../../parts/money/balances.ts';
import { ROLE_OPTIONS } from '../operators/role-words.ts';
import { ACTION_OPTIONS, hasAmount } from './approval-words.ts';

/** As it is typed; empty for a condition that is left out. */
export type Draft = {
  readonly action: ApprovalRule['action'];
  readonly amountFrom: string;
  readonly currency: string;
  readonly role: string;
};

export const draftOf = ({ action, amountFrom, currency, role }: ApprovalRule): Draft => ({
  action,
  amountFrom: amountFrom ?? '',
  currency: currency ?? '',
  role: role ?? '',
});

export const ruleOf = ({ action, amountFrom, currency, role }: Draft): ApprovalRule => {
  const amount = amountFrom.trim();
  const isMoney = hasAmount(action);
  return {
    action,
    ...(isMoney && amount ? { amountFrom: plainAmount(amount) } : {}),
    ...(isMoney && currency ? { currency: currency as NonNullable<ApprovalRule['currency']> } : {}),
    ...(role ? { role: role as NonNullable<ApprovalRule['role']> } : {}),
  };
};

/** Undefined when the rule can be sent. */
export const problemOf = ({ action, amountFrom }: Draft): string | undefined =>
  hasAmount(action) && amountFrom.trim() !== '' ? amountProblem(amountFrom) : undefined;

type Props = {
  readonly name: string;
  readonly draft: Draft;
  readonly problem: string | undefined;
  readonly onChange: (draft: Draft) => void;
  readonly onRemove: () => void;
};

export const RuleFields = ({ name, draft, problem, onChange, onRemove }: Props) => {
  const isMoney = hasAmount(draft.action);
  return (
    <fieldset className="approval-rule">
      <legend className="field-label">{name}</legend>
      <SelectField
        label="Action"
        value={draft.action}
        options={ACTION_OPTIONS}
        onChange={(event) => onChange({ ...draft, action: event.target.value as Draft['action'] })}
      />
      {isMoney ? (
        <>
          <AmountField
            label="From amount"
            placeholder="any"
            value={draft.amountFrom}
            error={problem}
            onChange={(event) => onChange({ ...draft, amountFrom: event.target.value })}
          />
          <SelectField
            label="Currency"
            value={draft.currency}
            options={[{ value: '', name: 'Each' }, ...CURRENCIES.map((value) => ({ value, name: value }))]}
            onChange={(event) => onChange({ ...draft, currency: event.target.value })}
          />
        </>
      ) : null}
      <SelectField
        label="Requested by"
        value={draft.role}
        options={[{ value: '', name: 'Every caller' }, ...ROLE_OPTIONS]}
        onChange={(event) => onChange({ ...draft, role: event.target.value })}
      />
      <Button aria-label={`Remove ${name.toLowerCase()}`} onClick={onRemove}>
        Remove
      </Button>
    </fieldset>
  );
};
