// Compares a balance with the ledger. Verify only reads; Sync books the difference. The result is shown in figures.

import type { CurrencyCode, Statement, VerifyBalanceResult } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { Id } from '../../parts/id.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { amountOf, formatAmount, type Units, ZERO } from '../../parts/money/amounts.ts';
import { CURRENCIES } from '../../parts/money/balances.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { notPreviewed } from '../../parts/money/not-previewed.ts';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';

/** The decimals of the ledger. */
const PLACES = 7;

type Found = VerifyBalanceResult & {
  readonly foundAt: string;
  /** All seven decimals. Elsewhere balances are shown in whole cents. */
  readonly exact: Statement['closing'];
};

export const LedgerComparisonPanel = ({ userId }: { readonly userId: string }) => {
  const client = useClient();
  const treasuryDenial = useDenial('treasury');
  const [currency, setCurrency] = useState<CurrencyCode>('USD');
  const [found, setFound] = useState<Found | null>(null);
  const [isSure, setSure] = useState(false);

  const compareWithLedger = async (): Promise<Found> => {
    const [verified, { closing }] = await Promise.all([
      client.balances.verify(userId, { currency }),
      // The closing balance of a statement is exact, also for a single line.
      client.users.statement(userId, { currency, limit: 1 }),
    ]);
    const result = { ...verified, exact: closing, foundAt: new Date().toISOString() };
    setFound(result);
    return result;
  };
  const verify = useAction({ run: compareWithLedger, done: () => null, failed: 'The balance could not be verified' });
  const prepareSync = useAction({
    run: compareWithLedger,
    done: () => null,
    failed: 'The balance could not be compared',
    onDone: () => setSure(true),
  });
  const sync = useAction({
    run: (_, once) => client.balances.sync(userId, { currency }, once),
    done: ({ adjustment }) => messageAbout(adjustment, currency),
    failed: 'The balance was not synced',
    touches: [['users'], ['breaks'], ['proof']],
    quiet: true,
    onDone: () => {
      setSure(false);
      verify.mutate();
    },
  });

  return (
    <Panel
      title="Ledger comparison"
      actions={
        <>
          <Button icon="audit" isBusy={verify.isPending} onClick={() => verify.mutate()}>
            Verify
          </Button>
          <Button
            icon="refresh"
            reason={treasuryDenial}
            isBusy={prepareSync.isPending}
            onClick={() => prepareSync.mutate()}
          >
            Sync…
          </Button>
        </>
      }
    >
      <div className="users-check">
        <SelectField
          label="Balance"
          value={currency}
          options={CURRENCIES.map((value) => ({ value, name: value }))}
          onChange={(event) => {
            setCurrency(event.target.value as CurrencyCode);
            setFound(null);
          }}
        />
        {found ? (
          <Findings found={found} />
        ) : (
          <p className="soft">
            Verify compares the books with the ledger balance of the user’s address and changes nothing. Sync books the
            difference.
          </p>
        )}
      </div>
      {found ? (
        <SyncConfirm isOpen={isSure} found={found} currency={currency} sync={sync} onClose={() => setSure(false)} />
      ) : null}
    </Panel>
  );
};

const messageAbout = (adjustment: string | null, currency: CurrencyCode): { title: string; text: string } => {
  if (adjustment === null) return { title: 'Nothing to book', text: 'The books match the ledger.' };
  const shown = formatAmount(amountOf(adjustment), { places: PLACES, sign: true });
  return { title: `${shown} ${currency} booked`, text: 'See the statement and the audit trail.' };
};

type SyncProps = {
  readonly isOpen: boolean;
  readonly found: Found;
  readonly currency: CurrencyCode;
  readonly sync: { readonly isPending: boolean; readonly error: unknown; mutate(): void };
  readonly onClose: () => void;
};

const SyncConfirm = ({ isOpen, found, currency, sync, onClose }: SyncProps) => {
  const difference = amountOf(found.difference);
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={`Sync the ${currency} balance?`}
      confirm={
        difference === ZERO
          ? 'Sync without a difference'
          : `Book ${formatAmount(difference, { places: PLACES, sign: true })} ${currency}`
      }
      preview={notPreviewed('POST /users/:userId/balance/sync')}
      onConfirm={() => sync.mutate()}
      isBusy={sync.isPending}
      error={sync.error}
    >
      <p>{explanationOf(difference)}</p>
      <Findings found={found} />
    </Confirm>
  );
};

const explanationOf = (difference: Units): string => {
  if (difference === ZERO) return 'The ledger balance matches the books. Nothing will be booked.';
  return difference > ZERO
    ? 'The ledger balance is higher than the books. The difference is credited to the user as a deposit.'
    : 'The ledger balance is lower than the books. The difference is debited from the user up to the available balance; the operator bears the rest.';
};

const Findings = ({ found }: { readonly found: Found }) => {
  const { onChainBalance, offChainBalance } = found;
  return (
    <div className="stack-tight" role="status">
      <span className="row">
        <Status
          value={found.isValid ? 'VALID' : 'DIFFERS'}
          tone={found.isValid ? 'good' : 'bad'}
          words={found.isValid ? 'Valid: no difference' : 'The books differ from the ledger'}
        />
        <span className="soft">
          checked <Time value={found.foundAt} />
        </span>
      </span>
      <dl className="users-findings">
        <dt>Books, total</dt>
        <dd>
          <Amount value={found.exact.total} currency={offChainBalance.currency} places={PLACES} />
        </dd>
        <dt>
          Ledger address {onChainBalance.address ? <Id value={onChainBalance.address} link={false} /> : '(none yet)'}
        </dt>
        <dd>
          <Amount value={onChainBalance.balance} currency={onChainBalance.asset} places={PLACES} />
        </dd>
        <dt>Held elsewhere (such as the treasury)</dt>
        <dd>
          <Amount value={found.heldInTreasury} currency={offChainBalance.currency} places={PLACES} />
        </dd>
        <dt>Unexplained difference</dt>
        <dd>
          <strong>
            <Amount value={found.difference} currency={onChainBalance.asset} places={PLACES} signed />
          </strong>
        </dd>
      </dl>
    </div>
  );
};
