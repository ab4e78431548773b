// The faucet: sends test money on the ledger to a user's wallet, the treasury, the platform or an escrow contract.

import type { SandboxState } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { AmountField, SelectField } from '../../parts/fields.tsx';
import { Id, shortId } from '../../parts/id.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { amountProblem, formatAmount, plainAmount } from '../../parts/money/amounts.ts';
import { unitsOf } from '../../parts/money/balances.ts';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { useClient } from '../../session.tsx';

type Target = 'user' | 'treasury' | 'platform' | 'contract';
type Asset = 'USDC' | 'XLM';

const TARGETS: readonly { readonly value: Target; readonly name: string }[] = [
  { value: 'user', name: 'User wallet' },
  { value: 'treasury', name: 'Treasury wallet' },
  { value: 'platform', name: 'Platform wallet' },
  { value: 'contract', name: 'Escrow contract' },
];

export const FaucetPanel = ({ state }: { readonly state: SandboxState }) => {
  const client = useClient();
  const [search] = useSearchParams();
  const [target, setTarget] = useState<Target>('user');
  const [userId, setUserId] = useState(search.get('userId') ?? '');
  const [contractId, setContractId] = useState('');
  const [asset, setAsset] = useState<Asset>('USDC');
  const [amount, setAmount] = useState('');
  const [isChecked, setChecked] = useState(false);
  const user = useQuery({
    queryKey: ['users', userId],
    queryFn: () => client.users.get(userId),
    enabled: target === 'user' && userId !== '',
  });
  const contract = contractId || state.contracts[0]?.contractId;
  const platformAccount = state.accounts.find(({ owner }) => owner === target);
  const address =
    target === 'user' ? user.data?.ledgerAddress : target === 'contract' ? contract : platformAccount?.address;
  const held = [
    ...state.accounts.map((one) => ({ ...one, at: one.address })),
    ...state.contracts.map((one) => ({ ...one, at: one.contractId })),
  ].find(({ at }) => at === address);
  const shown = `${formatAmount(unitsOf(amount), { places: 7 })} ${asset}`;

  const act = useAction({
    run: () => client.sandbox.faucet({ address: address!, asset, amount: plainAmount(amount) }),
    done: () => ({
      title: `${shown} sent`,
      text:
        target === 'user'
          ? 'The deposit is booked within a few seconds.'
          : 'The payment is on the ledger. The books follow at the next poll.',
    }),
    failed: 'The payment was not sent',
    touches: [['sandbox'], ['users'], ['proof']],
    quiet: true,
  });
  const refused = fieldErrorsOf(act.error, ['amount', 'address', 'asset']);
  const wrong = amountProblem(amount, { places: 7 });
  const missing = address
    ? null
    : target === 'user'
      ? 'Choose a user with a wallet.'
      : 'This address does not exist yet.';

  return (
    <Panel title="Faucet">
      <form
        id="faucet"
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (!wrong && !missing && !act.isPending) act.mutate();
        }}
      >
        <SelectField
          label="To"
          value={target}
          options={TARGETS}
          onChange={(event) => setTarget(event.target.value as Target)}
        />
        {target === 'user' ? <UserPicker label="User" value={userId} onChange={setUserId} /> : null}
        {target === 'contract' && state.contracts.length > 0 ? (
          <SelectField
            label="Contract"
            value={contract}
            options={state.contracts.map((one) => ({
              value: one.contractId,
              name: `${shortId(one.contractId)} of ${shortId(one.orderId)}`,
            }))}
            onChange={(event) => setContractId(event.target.value)}
          />
        ) : null}
        <Facts
          rows={[
            ['Address', address ? <Id key="address" value={address} link={false} /> : missing],
            [
              'Balance',
              held ? (
                <span className="row" key="held">
                  <Amount value={held.balances.USDC} currency="USDC" places={7} />
                  <Amount value={held.balances.XLM} currency="XLM" places={7} />
                </span>
              ) : null,
            ],
          ]}
        />
        <div className="sandbox-fields">
          <AmountField
            label="Amount"
            value={amount}
            error={(isChecked ? wrong : undefined) ?? refused.amount}
            onChange={(event) => setAmount(event.target.value)}
          />
          <SelectField
            label="Asset"
            value={asset}
            options={(['USDC', 'XLM'] as const).map((value) => ({ value, name: value }))}
            onChange={(event) => setAsset(event.target.value as Asset)}
          />
        </div>
        {refused[''] || refused.address ? <ErrorNotice title="The payment was not sent" error={act.error} /> : null}
        <div className="row">
          <Button type="submit" tone="accent" isBusy={act.isPending} reason={missing}>
            Send {wrong ? 'test money' : shown}
          </Button>
          {target === 'user' && userId ? <Link to={`/users/${userId}?tab=wallet`}>View user wallet</Link> : null}
        </div>
      </form>
    </Panel>
  );
};
