// The form of the approval rules. All rules are replaced together, after a confirmation.

import type { ApprovalRule } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/money/confirm.tsx';
import { Empty } from '../../parts/notice.tsx';
import { useClient } from '../../session.tsx';
import { type Draft, draftOf, problemOf, RuleFields, ruleOf } from './rule-fields.tsx';

type Props = { readonly rules: readonly ApprovalRule[]; readonly onDone: () => void };

const EMPTY: Draft = { action: 'order.release', amountFrom: '', currency: '', role: '' };

/** A stable key for each row, because rows are removed from the middle. */
type Row = { readonly key: number; readonly draft: Draft };

export const EditRules = ({ rules, onDone }: Props) => {
  const client = useClient();
  const [rows, setRows] = useState<readonly Row[]>(() => rules.map((rule, key) => ({ key, draft: draftOf(rule) })));
  const [isChecked, setChecked] = useState(false);
  const [isSure, setSure] = useState(false);
  const input = rows.map(({ draft }) => ruleOf(draft));
  const act = useAction({
    run: () => client.approvals.setRules(input),
    done: (now) => ({
      title: now.length === 0 ? 'Approvals ended' : `Rules set: ${now.length}`,
      text: 'They bind at once. Requests that wait already keep waiting.',
    }),
    failed: 'The rules were not changed',
    touches: [['approval-rules'], ['approvals'], ['audit']],
    quiet: true,
    onDone,
  });
  const add = (): void => setRows([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, draft: EMPTY }]);
  const change = (key: number, draft: Draft): void =>
    setRows(rows.map((row) => (row.key === key ? { key, draft } : row)));
  const review = (): void => {
    setChecked(true);
    if (rows.some(({ draft }) => problemOf(draft))) return;
    act.reset();
    setSure(true);
  };
  return (
    <div className="stack">
      {rows.length === 0 ? <Empty title="No rules">Without rules nothing waits for approval.</Empty> : null}
      {rows.map(({ key, draft }, place) => (
        <RuleFields
          key={key}
          name={`Rule ${place + 1}`}
          draft={draft}
          problem={isChecked ? problemOf(draft) : undefined}
          onChange={(next) => change(key, next)}
          onRemove={() => setRows(rows.filter((row) => row.key !== key))}
        />
      ))}
      <div className="row">
        <Button onClick={add}>Add rule</Button>
      </div>
      <div className="row">
        <Button onClick={onDone}>Discard changes</Button>
        <Button tone="accent" icon="arrow" onClick={review}>
          Review and save
        </Button>
      </div>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title="Replace the approval rules?"
        confirm="Save rules"
        preview={{ key: ['approval-rules', input], ask: () => client.approvals.setRules(input, { dryRun: true }) }}
        onConfirm={() => act.mutate()}
        isBusy={act.isPending}
        error={act.error}
      >
        <p>
          {rules.length} now, {input.length} afterwards. They bind at once.{' '}
          {input.length > 0 && !input.some(({ action }) => action === 'approval-rules')
            ? 'No rule protects the rules themselves: one person can remove them.'
            : ''}
        </p>
      </Confirm>
    </div>
  );
};
