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

const MISSING: Readonly<Record<Target, string>> = {
  user: 'Choose a user with a wallet.',
  treasury: 'This address does not exist yet.',
  platform: 'This address does not exist yet.',
  contract: 'No contract exists yet.',
};

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
  const shown = `${formatAmount(unitsOf(amount), { places: 7 })} ${asset}`;

  const act = usePayment({
    target,
    shown,
    send: () => client.sandbox.faucet({ address: address!, asset, amount: plainAmount(amount) }),
  });
  const refused = fieldErrorsOf(act.error, ['amount', 'address', 'asset']);
  const wrong = amountProblem(amount, { places: 7 });
  const missing = address ? null : MISSING[target];

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
        {target === 'contract' ? (
          <ContractField contracts={state.contracts} value={contract} onChange={setContractId} />
        ) : null}
        <AddressFacts state={state} address={address} missing={missing} />
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

type Payment = { readonly target: Target; readonly shown: string; readonly send: () => Promise<unknown> };

const usePayment = ({ target, shown, send }: Payment) =>
  useAction({
    run: send,
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

type Contracts = SandboxState['contracts'];
type ContractProps = {
  readonly contracts: Contracts;
  readonly value: string | undefined;
  readonly onChange: (contractId: string) => void;
};

const ContractField = ({ contracts, value, onChange }: ContractProps) =>
  contracts.length === 0 ? null : (
    <SelectField
      label="Contract"
      value={value}
      options={contracts.map(({ contractId, orderId }) => ({
        value: contractId,
        name: `${shortId(contractId)} of ${shortId(orderId)}`,
      }))}
      onChange={(event) => onChange(event.target.value)}
    />
  );

type AddressProps = {
  readonly state: SandboxState;
  readonly address: string | null | undefined;
  readonly missing: string | null;
};

/** The chosen address with its current balance. */
const AddressFacts = ({ state: { accounts, contracts }, address, missing }: AddressProps) => {
  const balances =
    accounts.find((one) => one.address === address)?.balances ??
    contracts.find((one) => one.contractId === address)?.balances;
  return (
    <Facts
      rows={[
        ['Address', address ? <Id key="address" value={address} link={false} /> : missing],
        [
          'Balance',
          balances ? (
            <span className="row" key="balances">
              <Amount value={balances.USDC} currency="USDC" places={7} />
              <Amount value={balances.XLM} currency="XLM" places={7} />
            </span>
          ) : null,
        ],
      ]}
    />
  );
};
