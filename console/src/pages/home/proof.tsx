// The proof: what is owed, what is held, and the difference, recomputed from every posting.

import type { Proof } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Amount } from '../../parts/amount.tsx';
import { amountOf, placesOf } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';

export const ProofPanel = () => {
  const client = useClient();
  const query = useQuery({ queryKey: ['proof'], queryFn: () => client.audit.proof() });
  return (
    <Panel
      title="The proof"
      flush
      actions={
        <Button tone="plain" icon="refresh" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Prove again
        </Button>
      }
    >
      <Loaded query={query} name="The proof">
        {(proof) => (proof.currencies.length === 0 ? <NoMoney /> : <ProofTable proof={proof} />)}
      </Loaded>
    </Panel>
  );
};

const NoMoney = () => (
  <Empty title="There is no money yet">
    As soon as a balance is credited or an order is paid for, this shows what is owed and what is held, side by side.
  </Empty>
);

const ProofTable = ({ proof }: { readonly proof: Proof }) => (
  <>
    <div className="table-box">
      <table className="table">
        <caption className="hidden-text">Claims, holdings and their difference, by currency</caption>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col" data-align="end">
              Owed (claims)
            </th>
            <th scope="col" data-align="end">
              Held (holdings)
            </th>
            <th scope="col" data-align="end">
              By hand (adjustments)
            </th>
            <th scope="col" data-align="end">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {proof.currencies.map((row) => (
            <tr key={row.currency}>
              <td data-label="Currency">
                <strong>{row.currency}</strong>
              </td>
              <td data-label="Owed" data-align="end">
                <Amount value={row.claims} />
              </td>
              <td data-label="Held" data-align="end">
                <Amount value={row.holdings} />
              </td>
              <td data-label="By hand" data-align="end">
                <Amount value={row.adjustments} />
              </td>
              <td data-label="Difference" data-align="end">
                <strong>
                  <Amount value={row.difference} places={placesOf(amountOf(row.difference))} />
                </strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <div className="table-foot">
      <span className="row">
        <Status
          value={proof.holds ? 'HOLDS' : 'BROKEN'}
          tone={proof.holds ? 'good' : 'bad'}
          words={proof.holds ? 'Every cent is there' : 'The books do not add up'}
        />
        <span>
          {proof.checks
            .filter((check) => !check.holds)
            .map((check) => `${check.name}: ${check.detail}`)
            .join(' ')}
        </span>
      </span>
      <span>
        proved <Time value={proof.checkedAt} />
      </span>
    </div>
  </>
);
