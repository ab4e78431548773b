// Holds a balance against the ledger: verify only looks, sync books the difference. What was found is shown in figures.

import type { CurrencyCode, Statement, VerifyBalanceResult } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Amount } from '../../parts/amount.tsx';
import { amountOf, formatAmount, larger, negate, ZERO } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { Id } from '../../parts/id.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useReason } from '../../parts/rights.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { CURRENCIES, effectsOn } from '../payments/balance-of.ts';

/** As the ledger counts. */
const PLACES = 7;

type Found = VerifyBalanceResult & {
  readonly foundAt: string;
  /** To the last place: a balance is shown in whole cents otherwise. */
  readonly exact: Statement['closing'];
};

export const CheckPanel = ({ userId }: { readonly userId: string }) => {
  const client = useClient();
  const mayWrite = useReason('write');
  const [currency, setCurrency] = useState<CurrencyCode>('USD');
  const [found, setFound] = useState<Found | null>(null);
  const [isSure, setSure] = useState(false);

  const look = async (): Promise<Found> => {
    const [verified, { closing }] = await Promise.all([
      client.balances.verify(userId, { currency }),
      // However few of its lines are asked for, a statement closes with exact figures.
      client.users.statement(userId, { currency, limit: 1 }),
    ]);
    const result = { ...verified, exact: closing, foundAt: new Date().toISOString() };
    setFound(result);
    return result;
  };
  const verify = useAction({ run: look, done: () => null, failed: 'The balance could not be verified' });
  const ask = useAction({
    run: look,
    done: () => null,
    failed: 'The balance could not be compared',
    onDone: () => setSure(true),
  });
  const sync = useAction({
    run: (_, once) => client.balances.sync(userId, { currency }, once),
    done: ({ adjustment }) => ({
      title:
        adjustment === null
          ? 'Nothing had to be booked'
          : `${formatAmount(amountOf(adjustment), { places: PLACES, sign: true })} ${currency} booked`,
      text: adjustment === null ? 'Books and ledger agree.' : 'It is in the statement and in the audit trail.',
    }),
    failed: 'The balance was not synced',
    touches: [['users'], ['breaks'], ['proof']],
    quiet: true,
    onDone: () => {
      setSure(false);
      verify.mutate();
    },
  });
  const difference = found ? amountOf(found.difference) : ZERO;
  // What is missing beyond it is the operator's loss.
  const booked = larger(difference, negate(amountOf(found?.exact.available)));

  return (
    <Panel
      title="Against the ledger"
      actions={
        <>
          <Button icon="audit" isBusy={verify.isPending} onClick={() => verify.mutate()}>
            Verify
          </Button>
          <Button icon="refresh" reason={mayWrite} isBusy={ask.isPending} onClick={() => ask.mutate()}>
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
            Verify compares the books with what the ledger shows at the user’s address; it changes nothing. Sync books
            the difference.
          </p>
        )}
      </div>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title={`Sync the ${currency} balance?`}
        confirm={
          difference === ZERO
            ? 'Sync, nothing differs'
            : `Book ${formatAmount(difference, { places: PLACES, sign: true })} ${currency}`
        }
        effects={effectsOn(found?.exact, [{ name: 'Available', part: 'available', by: booked }], currency).map(
          (effect) => ({ ...effect, places: PLACES }),
        )}
        onConfirm={() => sync.mutate()}
        isBusy={sync.isPending}
        error={sync.error}
      >
        <p>
          {difference === ZERO
            ? 'The ledger shows just what the books have at the address: nothing will be booked.'
            : difference > ZERO
              ? 'The ledger shows more at the address than the books have there. The difference is booked to the user as a deposit.'
              : 'The ledger shows less at the address than the books have there. The difference is taken from the user, as far as there is enough; the rest is the operator’s loss.'}
        </p>
      </Confirm>
    </Panel>
  );
};

const Findings = ({ found }: { readonly found: Found }) => {
  const { onChainBalance, offChainBalance } = found;
  return (
    <div className="stack-tight" role="status">
      <span className="row">
        <Status
          value={found.isValid ? 'VALID' : 'DIFFERS'}
          tone={found.isValid ? 'good' : 'bad'}
          words={found.isValid ? 'Valid: the difference is zero' : 'Books and ledger differ'}
        />
        <span className="soft">
          looked <Time value={found.foundAt} />
        </span>
      </span>
      <dl className="users-findings">
        <dt>In the books, in all</dt>
        <dd>
          <Amount value={found.exact.total} currency={offChainBalance.currency} places={PLACES} />
        </dd>
        <dt>
          At the address {onChainBalance.address ? <Id value={onChainBalance.address} link={false} /> : '(none yet)'}
        </dt>
        <dd>
          <Amount value={onChainBalance.balance} currency={onChainBalance.asset} places={PLACES} />
        </dd>
        <dt>Kept elsewhere, as in the treasury</dt>
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
