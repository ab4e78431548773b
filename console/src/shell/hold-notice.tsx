// The text of the banner while payments are on hold: who holds them, since when, why, and what to do next.

import type { PaymentHold } from '@holdfast/sdk';
import { Link } from 'react-router';
import { isolateBidi } from '../parts/bidi.ts';
import { heldByWords } from '../parts/held-by.ts';
import { Notice } from '../parts/notice.tsx';
import { Time } from '../parts/time.tsx';

const WAITS =
  'Nothing leaves a wallet and no payout is made until the release. What was requested waits and is paid afterwards.';

export const MasterNotice = ({ hold }: { readonly hold: PaymentHold }) => {
  const next = (
    <p>
      Next step: <Link to="/health">compare the held wallets with your records and release payments</Link>.
    </p>
  );
  if (!hold.held) {
    return (
      <Notice title={`Wallets on hold: ${hold.wallets.length}`} tone="warn">
        <p>The ledger has payments of these wallets that nothing in the books explains.</p>
        {next}
      </Notice>
    );
  }
  return (
    <Notice title="Payments are on hold" tone="warn">
      <p>
        Held by {heldByWords(hold.heldBy)} since <Time value={hold.since} exact />: “{isolateBidi(hold.reason ?? '')}”{' '}
        {WAITS}
      </p>
      {next}
    </Notice>
  );
};

/** The health of the service names the command line as the next step, which these keys may not use. */
export const OtherNotice = ({ detail }: { readonly detail: string }) => (
  <Notice title="Payments are on hold" tone="warn">
    <p>{detail.replace(/ See `.*$/, '')}</p>
    <p>{WAITS} Next step: the operator with the master key releases payments.</p>
  </Notice>
);
