// The scopes of a key: as badges in a list, and as check boxes in a form.

import type { CreateApiKeyInput } from '@holdfast/sdk';
import { CheckField } from '../../parts/fields.tsx';

export type Scope = CreateApiKeyInput['scopes'][number];

const WORDS: Readonly<Record<Scope, string>> = {
  read: 'view all data',
  write:
    'create and change users, orders and reservations; also treasury and payout unless the operator separated them',
  treasury: 'credit, debit, deduct and sync balances',
  payout: 'create and commit withdrawals',
  support: 'resolve disputes, suspend users, view jobs',
  '*': 'all of these, and future permissions',
};

export const scopeName = (scope: Scope): string => (scope === '*' ? 'everything' : scope);

export const Scopes = ({ scopes }: { readonly scopes: readonly Scope[] }) => (
  <span className="keys-scopes">
    {scopes.map((scope) => (
      <span key={scope} className="keys-scope" title={WORDS[scope]} data-every={scope === '*' || undefined}>
        {scopeName(scope)}
      </span>
    ))}
  </span>
);

type FieldProps = {
  readonly legend: string;
  readonly offered: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
  readonly error?: string | undefined;
};

export const ScopeField = ({ legend, offered, chosen, onChange, error }: FieldProps) => {
  const toggle = (scope: Scope): void => {
    const others = chosen.filter((each) => each !== scope);
    // The scope * includes the others, so it replaces them.
    const added = scope === '*' ? ['*' as const] : [...others.filter((each) => each !== '*'), scope];
    onChange(chosen.includes(scope) ? others : added);
  };
  return (
    <fieldset className="stack-tight keys-choice">
      <legend className="field-label">{legend}</legend>
      {offered.map((scope) => (
        <CheckField
          key={scope}
          checked={chosen.includes(scope)}
          onChange={() => toggle(scope)}
          label={
            <>
              <strong>{scopeName(scope)}</strong> <span className="soft">{WORDS[scope]}</span>
            </>
          }
        />
      ))}
      {error ? (
        <span className="field-error" role="alert">
          {error}
        </span>
      ) : null}
    </fieldset>
  );
};
