// Holds outgoing payments and releases them, and lists the wallets that are held with what the books cannot explain. Only for the
// master key.

import type { PaymentHold } from '@holdfast/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { isRefusal } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { CheckField, TextField } from '../../parts/fields.tsx';
import { heldByWords } from '../../parts/held-by.ts';
import { useHold } from '../../parts/hold.ts';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Confirm } from '../../parts/money/confirm.tsx';
import { notPreviewed } from '../../parts/money/not-previewed.ts';
import { Facts, Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';

type HeldWallet = PaymentHold['wallets'][number];

const TOUCHES = [['health'], ['audit'], ['breaks']];
const REASON_MAX = 200;

export const PaymentHoldPanel = () => (useDenial('master') === null ? <HoldPanel /> : null);

const HoldPanel = () => {
  const query = useHold();
  return (
    <Panel
      title="Hold of payments"
      actions={query.data ? query.data.held ? <ReleaseAll hold={query.data} /> : <HoldAll /> : null}
    >
      <Loaded query={query} name="Hold of payments">
        {(hold) => (
          <div className="stack">
            <HoldState hold={hold} />
            {hold.wallets.map((wallet) => (
              <HeldWalletFacts key={wallet.walletId} wallet={wallet} />
            ))}
          </div>
        )}
      </Loaded>
    </Panel>
  );
};

const compared = (isCompared: boolean): string => (isCompared ? 'Compared' : 'Still being compared');

const HoldState = ({ hold }: { readonly hold: PaymentHold }) => {
  if (!hold.held) return <p>Payments are not on hold.</p>;
  return (
    <Facts
      rows={[
        ['Status', <Status key="status" value="HELD" tone="warn" words="On hold" />],
        ['Held by', heldByWords(hold.heldBy)],
        ['Since', <Time key="since" value={hold.since} exact />],
        ['Reason', hold.reason],
        ['Wallets and ledger', compared(hold.ledgerCompared)],
        ['Payouts and provider', compared(hold.payoutsCompared)],
        [
          'Payouts without a withdrawal',
          hold.lostPayouts === 0 ? (
            'None found'
          ) : (
            <Link key="lost" to="/breaks">
              {hold.lostPayouts}, see Reconciliation
            </Link>
          ),
        ],
      ]}
    />
  );
};

const HoldAll = () => {
  const client = useClient();
  const [isSure, setSure] = useState(false);
  const [reason, setReason] = useState('');
  const act = useAction({
    run: () => client.service.holdPayments({ reason: reason.trim() }),
    done: () => ({ title: 'Payments are on hold', text: 'What was requested waits until the release.' }),
    failed: 'Payments were not held',
    touches: TOUCHES,
    quiet: true,
    onDone: () => {
      setSure(false);
      setReason('');
    },
  });
  return (
    <>
      <Button tone="bad" onClick={() => setSure(true)}>
        Hold payments
      </Button>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title="Hold all outgoing payments?"
        confirm="Hold payments"
        tone="bad"
        reason={reason.trim() === '' ? 'Enter a reason first.' : null}
        preview={notPreviewed('POST /payments/hold')}
        onConfirm={() => act.mutate()}
        isBusy={act.isPending}
        error={act.error}
      >
        <p>
          Nothing leaves a wallet and no payout is made, in any marketplace, until you release payments. Requests are
          accepted and wait. Nothing is lost.
        </p>
        <TextField
          label="Reason"
          hint="The master key sees it here, and the audit trail keeps it."
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Confirm>
    </>
  );
};

const ReleaseAll = ({ hold: { lostPayouts } }: { readonly hold: PaymentHold }) => {
  const client = useClient();
  const [isSure, setSure] = useState(false);
  const [isAnyway, setAnyway] = useState(false);
  const act = useAction({
    run: () => client.service.releasePayments({ anyway: isAnyway, acceptLostPayouts: lostPayouts > 0 }),
    done: () => ({ title: 'Payments are released', text: 'Waiting payments are sent now.' }),
    failed: 'Payments were not released',
    touches: TOUCHES,
    quiet: true,
    onDone: () => {
      setSure(false);
      setAnyway(false);
    },
  });
  return (
    <>
      <Button tone="accent" onClick={() => setSure(true)}>
        Release payments
      </Button>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title="Release payments?"
        confirm="Release payments"
        preview={notPreviewed('POST /payments/release')}
        onConfirm={() => act.mutate()}
        isBusy={act.isPending}
        error={act.error}
      >
        <p>Everything that waits is paid from now on. Wallets that are held themselves stay held.</p>
        {lostPayouts === 0 ? null : (
          <p>
            Accepts {lostPayouts} payouts without a withdrawal and closes their breaks. Take their money out of the
            balances of the users first.
          </p>
        )}
        {isRefusal(act.error) ? (
          <CheckField
            label="Release before the comparison has ended. Each wallet is still read before it pays."
            checked={isAnyway}
            onChange={(event) => setAnyway(event.target.checked)}
          />
        ) : null}
      </Confirm>
    </>
  );
};

const HeldWalletFacts = ({ wallet }: { readonly wallet: HeldWallet }) => (
  <div className="stack-tight">
    <Facts
      rows={[
        ['Wallet', <Id key="wallet" value={wallet.walletId} link={false} />],
        ['Marketplace', wallet.marketplaceId],
        ['Address', <Id key="address" value={wallet.address} link={false} />],
        ['Since', <Time key="since" value={wallet.since} exact />],
        ['Reason', wallet.reason],
        ['Payments', <Payments key="payments" wallet={wallet} />],
      ]}
    />
    <ReleaseWallet wallet={wallet} />
  </div>
);

const Payments = ({ wallet: { transactions } }: { readonly wallet: HeldWallet }) => (
  <ul>
    {transactions.flatMap(({ hash, at, payments }) =>
      payments.map(({ to, asset, amount }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a transaction never changes, and may pay the same twice
        <li key={`${hash}-${index}`}>
          {amount} {asset} to <Id value={to} link={false} />, <Time value={at} />, transaction{' '}
          <Id value={hash} link={false} />
        </li>
      )),
    )}
  </ul>
);

const ReleaseWallet = ({ wallet: { walletId } }: { readonly wallet: HeldWallet }) => {
  const client = useClient();
  const [isSure, setSure] = useState(false);
  const act = useAction({
    run: () => client.service.releasePayments({ walletId }),
    done: () => ({ title: 'The wallet is released' }),
    failed: 'The wallet was not released',
    touches: TOUCHES,
    quiet: true,
    onDone: () => setSure(false),
  });
  return (
    <div className="row">
      <Button onClick={() => setSure(true)}>Release wallet</Button>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title="Release this wallet?"
        confirm="Accept and release"
        tone="bad"
        preview={notPreviewed('POST /payments/release')}
        onConfirm={() => act.mutate()}
        isBusy={act.isPending}
        error={act.error}
      >
        <p>Accepts the payments above. They are booked as a loss of the operator. This cannot be undone.</p>
      </Confirm>
    </div>
  );
};
