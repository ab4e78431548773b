// The float of a marketplace, and the form that allots float or takes it back.

import type { Marketplace } from '@holdfast/sdk';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { type Direction, MoveFloat, verbOf } from './move-float.tsx';

export const FloatPanel = ({ marketplace }: { readonly marketplace: Marketplace }) => {
  const { id, float } = marketplace;
  const [direction, setDirection] = useState<Direction | null>(null);
  return (
    <Panel
      title="Float"
      actions={(['allot', 'take-back'] as const).map((each) => (
        <Button key={each} onClick={() => setDirection(each)}>
          {verbOf(id, each)}
        </Button>
      ))}
    >
      <Facts
        rows={[
          ['Held at the payment provider', <Amount key="held" value={float.held} currency={float.currency} />],
          ['Of it allotted, not used', <Amount key="allotted" value={float.allotted} currency={float.currency} />],
          [
            'Promised to open withdrawals',
            <Amount key="open" value={float.pendingPayouts} currency={float.currency} />,
          ],
          ['Free for withdrawals', <Amount key="free" value={float.available} currency={float.currency} />],
        ]}
      />
      <MoveFloat marketplace={marketplace} direction={direction} onClose={() => setDirection(null)} />
    </Panel>
  );
};
