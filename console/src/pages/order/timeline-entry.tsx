// One entry of the timeline: a summary line that opens all details.

import type { TimelineEntry } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { Id, shortId } from '../../parts/id.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { Facts } from '../../parts/panel.tsx';
import { fieldWords, statusWords } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { briefOf } from './timeline-groups.ts';

const TAGS: Readonly<Record<TimelineEntry['kind'], string>> = {
  posting: 'Money',
  ledger: 'Ledger',
  operation: 'Operation',
  event: 'Event',
  note: 'Note',
  evidence: 'Evidence',
  message: 'Message',
  audit: 'Audit',
};

export const EntryLine = ({ entry }: { readonly entry: TimelineEntry }) => {
  const { kind, title, details, reference, at } = entry;
  const { amount, currency } = details as { amount?: string; currency?: string };
  const brief = briefOf(entry);
  return (
    <li className="timeline-entry" data-kind={kind}>
      <details>
        <summary>
          <span className="timeline-tag">{TAGS[kind]}</span>
          <span className="timeline-words">
            <span className={kind === 'event' ? 'mono' : undefined}>
              {kind === 'audit' ? statusWords(title) : title}
            </span>
            {brief ? <span className="soft"> · {brief}</span> : null}
          </span>
          <span className="timeline-value">
            {amount ? <Amount value={amount} {...(currency ? { currency } : {})} places={placesIn(amount)} /> : null}
            {kind === 'ledger' && reference ? <span className="mono soft">{shortId(reference)}</span> : null}
          </span>
        </summary>
        <div className="timeline-details">
          <Facts
            rows={[
              ['Time', <Time key="at" value={at} exact />],
              ...(reference
                ? [
                    [
                      kind === 'ledger' ? 'Transaction' : 'Reference',
                      <Id key="r" value={reference} whole={kind === 'ledger'} />,
                    ] as const,
                  ]
                : []),
              ...Object.entries(details).map(([name, value]) => [fieldWords(name), shownValue(value)] as const),
            ]}
          />
        </div>
      </details>
    </li>
  );
};

const placesIn = (amount: string): number => Math.max(2, amount.split('.')[1]?.length ?? 0);

const ID = /^([a-z]{3}_[0-9A-Z]{26}|[CG][A-Z2-7]{55})$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

const shownValue = (value: unknown): ReactNode => {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'string') return JSON.stringify(value);
  if (ID.test(value)) return <Id value={value} />;
  return INSTANT.test(value) ? <Time value={value} exact /> : value;
};
