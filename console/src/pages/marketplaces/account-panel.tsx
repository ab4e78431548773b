// Whose account at the payment provider a marketplace uses. Credentials are set with the command line, so that no secret
// is typed into a page.

import type { Marketplace } from '@holdfast/sdk';
import { CopyMark } from '../../parts/copy-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { PaymentAccount } from './figures.tsx';

export const AccountPanel = ({ marketplace }: { readonly marketplace: Marketplace }) => {
  const { id, paymentAccount } = marketplace;
  const isOwn = paymentAccount.account === 'own';
  const command = `holdfast marketplaces payment-provider`;
  return (
    <Panel title="Payment account">
      <div className="stack-tight">
        <p>
          <strong>
            <PaymentAccount paymentAccount={paymentAccount} />
          </strong>
        </p>
        <p className="soft">
          {isOwn
            ? 'New payments use an account of this marketplace at the payment provider. New keys of it are set with the command line:'
            : 'New payments use the account that marketplaces share. An own account is set with the command line:'}
        </p>
        <Command text={`${command} set ${id} --from secrets.json`} />
        {isOwn ? (
          <>
            <p className="soft">Return to the shared account:</p>
            <Command text={`${command} remove ${id}`} />
          </>
        ) : null}
      </div>
    </Panel>
  );
};

const Command = ({ text }: { readonly text: string }) => (
  <p className="marketplaces-command">
    <code>{text}</code> <CopyMark text={text} />
  </p>
);
