// The settings and limits that callers meet, as the service itself tells them.

import type { GetConfigResult } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Amount } from '../../parts/amount.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { useClient } from '../../session.tsx';

export const SettingsPanel = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['config'],
    queryFn: () => client.service.config(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Panel title="Settings and limits">
      <Loaded query={query} name="The settings">
        {(config) => <Settings config={config} />}
      </Loaded>
    </Panel>
  );
};

const Settings = ({ config }: { readonly config: GetConfigResult }) => {
  const { amounts, rateLimit } = config;
  return (
    <div className="stack">
      <div className="columns">
        <Facts
          rows={[
            ['Version', `${config.version}, API ${config.apiVersion}`],
            ['Outside systems', config.sandbox ? 'the sandbox: no real money' : 'the real ones'],
            ['Currencies', config.currencies.join(', ')],
            ['Base currency', config.baseCurrency],
            ['Platform fee', `${config.platformFeePercent} % when an order sets none`],
          ]}
        />
        <Facts
          rows={[
            ['An order', <Range key="order" of={amounts.order} currency={config.baseCurrency} />],
            ['A top-up', <Range key="topup" of={amounts.topup} currency={config.baseCurrency} />],
            ['A withdrawal', <Range key="withdrawal" of={amounts.withdrawal} currency={config.baseCurrency} />],
            ['Rate limit', `${rateLimit.max.toLocaleString('en')} requests in ${rateLimit.windowSeconds} s`],
            ['Idempotency keys', `kept for ${config.idempotencyRetentionHours} hours`],
            ['Events', `kept for ${config.eventRetentionDays} days`],
          ]}
        />
      </div>
      <details className="health-limits">
        <summary>All published limits</summary>
        <Facts
          rows={Object.entries(config.limits).map(([name, limit]) => [wordsOf(name), limit.toLocaleString('en')])}
        />
      </details>
    </div>
  );
};

const Range = ({ of, currency }: { readonly of: { min: string; max: string }; readonly currency: string }) => (
  <>
    <Amount value={of.min} /> to <Amount value={of.max} currency={currency} />
  </>
);

/** `pageSizeMax` to `Page size max`. */
const wordsOf = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
