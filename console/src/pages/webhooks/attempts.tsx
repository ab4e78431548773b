// The attempts of a delivery: time, answer, duration, error, beginning of the answer, and the request ID.

import type { WebhookDeliveryWithAttempts } from '@holdfast/sdk';
import { Id } from '../../parts/id.tsx';
import { Facts, optionalRow } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { duration } from './figures.ts';

type Attempt = WebhookDeliveryWithAttempts['attempts'][number];

/** The status of the last answer in a list. */
export const Answer = ({ status }: { readonly status: number | null }) =>
  status === null ? <span className="soft">none</span> : <span className="amount">{status}</span>;

/** Newest first. */
export const Attempts = ({ attempts }: { readonly attempts: readonly Attempt[] }) =>
  attempts.length === 0 ? (
    <p className="soft">Not sent yet.</p>
  ) : (
    <ol className="stack" aria-label="Attempts, newest first">
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.requestId} className="webhooks-attempt stack-tight">
          <AttemptFacts attempt={attempt} />
        </li>
      ))}
    </ol>
  );

const AttemptFacts = ({ attempt }: { readonly attempt: Attempt }) => {
  const { at, status, durationMs, error, responseHead, requestId } = attempt;
  return (
    <>
      <Facts
        rows={[
          ['Time', <Time key="at" value={at} exact />],
          [
            'Answer',
            <span key="status" className="row">
              <Status
                value={error === null ? 'DELIVERED' : 'FAILED'}
                words={status === null ? 'No answer' : `HTTP ${status}`}
              />
              {duration(durationMs)}
            </span>,
          ],
          ...optionalRow(error, ['Error', error]),
          ['Request ID', <Id key="request" value={requestId} link={false} />],
        ]}
      />
      {responseHead ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls, so it needs the keyboard focus
        <pre className="webhooks-head" tabIndex={0}>
          {responseHead}
        </pre>
      ) : null}
    </>
  );
};
