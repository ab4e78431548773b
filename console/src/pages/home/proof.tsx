// The proof of balances: liabilities, assets and their difference, recomputed from the last checkpoint or from every posting.

import '../../styles/table.css';
import type { Proof } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ExactAmount } from '../../parts/money/amount.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useConfig } from '../../session.tsx';

export const ProofPanel = () => {
  const client = useClient();
  const isSandbox = useConfig()?.sandbox === true;
  const query = useQuery({ queryKey: ['proof'], queryFn: () => client.audit.proof() });
  return (
    <Panel
      title="Proof of balances"
      flush
      actions={
        <Button tone="plain" icon="refresh" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Check now
        </Button>
      }
    >
      <Loaded query={query} name="Proof of balances">
        {(proof) => (proof.currencies.length === 0 ? <NoMoney /> : <ProofTable proof={proof} isSandbox={isSandbox} />)}
      </Loaded>
    </Panel>
  );
};

const NoMoney = () => (
  <Empty title="No balances yet">Liabilities and assets appear here after the first credit or top-up.</Empty>
);

const Scope = ({ proof: { checkpoint, lastFullProof } }: { readonly proof: Proof }) => (
  <>
    {checkpoint ? (
      <>
        , proved from checkpoint of <Time value={checkpoint.madeAt} />
      </>
    ) : (
      ', proved from every posting'
    )}
    {lastFullProof ? (
      <>
        . Last full proof: <Time value={lastFullProof.checkedAt} />
      </>
    ) : null}
  </>
);

const ProofTable = ({ proof, isSandbox }: { readonly proof: Proof; readonly isSandbox: boolean }) => (
  <>
    <div className="table-box">
      <table className="table">
        <caption className="hidden-text">Liabilities, assets and their difference, by currency</caption>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col" data-align="end">
              Liabilities
            </th>
            <th scope="col" data-align="end">
              Assets
            </th>
            <th scope="col" data-align="end">
              Manual adjustments
            </th>
            <th scope="col" data-align="end">
              Opening balances
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
              <td data-label="Liabilities" data-align="end">
                <ExactAmount value={row.claims} />
              </td>
              <td data-label="Assets" data-align="end">
                <ExactAmount value={row.holdings} />
              </td>
              <td data-label="Manual adjustments" data-align="end">
                <ExactAmount value={row.adjustments} />
              </td>
              <td data-label="Opening balances" data-align="end">
                <ExactAmount value={row.openingBalances} />
              </td>
              <td data-label="Difference" data-align="end">
                <strong>
                  <ExactAmount value={row.difference} />
                </strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {isSandbox ? (
      <p className="home-test-money soft">
        This is a sandbox: its treasury and its payment provider start with test money. It is in the assets, and with
        the opposite sign in the manual adjustments.
      </p>
    ) : null}
    <div className="table-foot home-proof">
      <span className="row">
        <Status
          value={proof.holds ? 'HOLDS' : 'BROKEN'}
          tone={proof.holds ? 'good' : 'bad'}
          words={proof.holds ? 'Balanced: every cent is accounted for' : 'Not balanced'}
        />
        <span>
          {proof.checks
            .filter((check) => !check.holds)
            .map((check) => `${check.name}: ${check.detail}`)
            .join(' ')}
        </span>
      </span>
      <span>
        checked <Time value={proof.checkedAt} />
        <Scope proof={proof} />
      </span>
    </div>
  </>
);
