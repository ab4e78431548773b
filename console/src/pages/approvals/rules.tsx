// The approval rules of the marketplace: which requests wait for another actor. They are changed together.

import '../../styles/operators.css';
import type { ApprovalRule } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';
import { Empty } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { ROLE_WORDS } from '../operators/role-words.ts';
import { approvalWords } from './approval-words.ts';
import { EditRules } from './edit-rules.tsx';

export const Component = () => {
  const client = useClient();
  const everyReason = useDenial('every');
  const [isEditing, setEditing] = useState(false);
  const query = useQuery({ queryKey: ['approval-rules'], queryFn: () => client.approvals.rules() });
  return (
    <>
      <PageHeader
        title="Approval rules"
        parent={{ name: 'Approvals', to: '/approvals' }}
        text="A request that a rule binds waits until another person approves it."
        actions={
          isEditing ? undefined : (
            <Button tone="accent" reason={everyReason} onClick={() => setEditing(true)}>
              Edit rules
            </Button>
          )
        }
      />
      <Panel title="Rules">
        <Loaded query={query} name="The rules">
          {(rules) =>
            isEditing ? <EditRules rules={rules} onDone={() => setEditing(false)} /> : <RuleList rules={rules} />
          }
        </Loaded>
      </Panel>
    </>
  );
};

const RuleList = ({ rules }: { readonly rules: readonly ApprovalRule[] }) =>
  rules.length === 0 ? (
    <Empty title="No rules">Every permitted request is carried out at once. One person can move any sum.</Empty>
  ) : (
    <ul className="approval-rules">
      {rules.map((rule) => (
        <li key={JSON.stringify(rule)}>
          <strong>{approvalWords(rule.action)}</strong> {conditionWords(rule)}
        </li>
      ))}
    </ul>
  );

/** `from 100.00 USD, requested by Support`. */
const conditionWords = ({ amountFrom, currency, role }: ApprovalRule): string => {
  const amount =
    amountFrom === undefined ? '' : `from ${formatAmount(amountOf(amountFrom))} ${currency ?? 'in each currency'}`;
  const only = amountFrom === undefined && currency ? `in ${currency}` : '';
  const who = role ? `requested by the role ${ROLE_WORDS[role].name}` : 'by every caller';
  return [amount || only, who].filter(Boolean).join(', ');
};
