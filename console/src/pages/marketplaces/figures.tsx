// Figures of a marketplace that both its row and its page show.

import type { Marketplace } from '@holdfast/sdk';
import { Amount } from '../../parts/money/amount.tsx';
import { Time } from '../../parts/time.tsx';

/** Marketplaces emit no events to the stream of another one. */
export const POLL_MS = 15_000;

/** A used line is paid with the money of others, so it stands out. */
export const CreditLine = ({ float: { creditLine, creditUsed } }: Pick<Marketplace, 'float'>) => (
  <span>
    <Amount value={creditUsed} {...(creditUsed === '0.00' ? {} : { tone: 'bad' as const })} />{' '}
    <span className="soft">of</span> <Amount value={creditLine} />
  </span>
);

export const PaymentAccount = ({ paymentAccount: { account, since } }: Pick<Marketplace, 'paymentAccount'>) =>
  since === null ? (
    <span>Shared</span>
  ) : (
    <span>
      {account === 'own' ? 'Own' : 'Shared'} since <Time value={since} />
    </span>
  );

type Limits = Marketplace['limits'][number];

/** What was used today, of what all users together may use. */
export const LimitsToday = ({ limits }: Pick<Marketplace, 'limits'>) => {
  const lines = limits.flatMap(linesOf);
  if (lines.length === 0) return <span className="soft">No limits</span>;
  return (
    <span className="marketplaces-limits">
      {lines.map(({ name, used, limit }) => (
        <span key={name}>
          <span className="soft">{name}</span>{' '}
          {limit === null ? null : (
            <span className="marketplaces-used">
              <Amount value={used} /> <span className="soft">of</span> <Amount value={limit} />
            </span>
          )}
        </span>
      ))}
    </span>
  );
};

type Line = { readonly name: string; readonly used: string; readonly limit: string | null };

const linesOf = (limits: Limits): Line[] => {
  const { currency, usedToday, manualCreditPerDay, withdrawalPerDay } = limits;
  const ofAll = [
    { name: `${currency} credits`, used: usedToday.manualCredit, limit: manualCreditPerDay },
    { name: `${currency} withdrawals`, used: usedToday.withdrawal, limit: withdrawalPerDay },
  ].filter(({ limit }) => limit !== null);
  const isPerUser = limits.manualCreditPerUserDay !== null || limits.withdrawalPerUserDay !== null;
  return ofAll.length === 0 && isPerUser ? [{ name: `${currency} per user only`, used: '0.00', limit: null }] : ofAll;
};
