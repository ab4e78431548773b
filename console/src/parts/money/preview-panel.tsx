// The preview inside a confirmation: balances before and after, the new status, outside calls and postings, or the error that the request
// would get.

import '../../styles/preview.css';
import { isRefusal } from '../../api.ts';
import { ErrorNotice, Skeleton } from '../notice.tsx';
import { Facts, optionalRow } from '../panel.tsx';
import { Status } from '../status.tsx';
import { Amount } from './amount.tsx';
import { amountOf, placesOf } from './amounts.ts';
import { Effects } from './effects.tsx';
import { type Asking, accountWords, type Outcome, type usePreview } from './preview.ts';

type Props = { readonly asking: Asking; readonly previewed: ReturnType<typeof usePreview> };

export const PreviewPanel = ({ asking, previewed: { outcome, error, again } }: Props) => {
  if (error) {
    const isRefused = isRefusal(error) && error.status !== null && error.status < 500;
    return (
      <ErrorNotice
        title={isRefused ? 'The server would refuse this' : 'The preview could not be loaded'}
        error={error}
        again={again}
      />
    );
  }
  if (outcome) return <Shown outcome={outcome} names={asking.names} />;
  if (asking.ask === null) return null;
  return (
    <div className="preview-waiting" role="status">
      <span className="hidden-text">The preview is being loaded.</span>
      <Skeleton />
      <Skeleton />
    </div>
  );
};

type ShownProps = { readonly outcome: Outcome; readonly names: Asking['names'] };

const Shown = ({ outcome, names }: ShownProps) => {
  const { effects, status, calls, postings, waits, beside } = outcome;
  return (
    <section className="stack-tight" aria-label="Preview">
      {waits ? <p>A rule makes this request wait for another person. Once it is approved:</p> : null}
      {beside}
      {effects.length > 0 ? <Effects effects={effects} /> : <p className="soft">No balance changes.</p>}
      <Facts
        rows={[
          ...optionalRow(status, ['Status afterwards', status && <Status key="status" value={status} />]),
          ['Outside calls', calls.length === 0 ? 'None' : <Calls key="calls" calls={calls} />],
        ]}
      />
      {postings.length > 0 ? <Postings postings={postings} names={names} /> : null}
    </section>
  );
};

const Calls = ({ calls }: Pick<Outcome, 'calls'>) => (
  <ul className="preview-calls">
    {calls.map((call, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list of a preview never changes, and may name a call twice
      <li key={index}>{call}</li>
    ))}
  </ul>
);

const Postings = ({ postings, names }: Pick<Outcome, 'postings'> & Pick<ShownProps, 'names'>) => (
  <details className="preview-postings">
    <summary>Postings: {postings.length}</summary>
    <ul>
      {postings.map(({ from, to, amount, currency, move }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of a preview never changes, and may move the same twice
        <li key={index}>
          <Amount value={amount} currency={currency} places={placesOf(amountOf(amount))} /> from{' '}
          <span className="mono">{accountWords(from, names)}</span> to{' '}
          <span className="mono">{accountWords(to, names)}</span>{' '}
          <span className="soft">{move.replaceAll('_', ' ')}</span>
        </li>
      ))}
    </ul>
  </details>
);
