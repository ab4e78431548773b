// The receipt of an order as a file, and its public link. The link is shown once, after it was created.

import type { Order } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { type Secret, SecretDialog } from '../../parts/secret/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';

type Props = { readonly order: Pick<Order, 'id' | 'escrow' | 'updatedAt'> };

/** An order has a receipt once its money has been in escrow. */
export const ReceiptPanel = ({ order }: Props) => {
  if (!order.escrow?.fundedAt) return null;
  return (
    <Panel title="Receipt" actions={<Download orderId={order.id} />}>
      <PublicLink order={order} />
    </Panel>
  );
};

const Download = ({ orderId }: { readonly orderId: string }) => {
  const client = useClient();
  const load = useAction({
    run: () => client.orders.receiptFile(orderId, 'pdf'),
    done: () => ({ title: 'Receipt downloaded' }),
    failed: 'The receipt could not be downloaded',
    onDone: (bytes) =>
      saveFile({ name: `receipt-${orderId}.pdf`, parts: [bytes as Uint8Array<ArrayBuffer>], type: 'application/pdf' }),
  });
  return (
    <Button icon="topups" isBusy={load.isPending} onClick={() => load.mutate()}>
      Download PDF
    </Button>
  );
};

const linkSecret = (url: string): Secret => ({
  title: 'Public link created',
  secret: url,
  what: 'Link',
  text: <p>Anyone who has this link can read the receipt, without a key. Send it to the buyer or the seller.</p>,
});

const PublicLink = ({ order }: Props) => {
  const client = useClient();
  const denial = useDenial('write');
  const [url, setUrl] = useState<string | null>(null);
  const key = ['orders', order.id, 'receipt'];
  const { data: receipt } = useQuery({
    queryKey: [...key, order.updatedAt],
    queryFn: () => client.orders.receipt(order.id),
  });
  const create = useAction({
    run: (_, once) => client.orders.createReceiptLink(order.id, {}, once),
    done: () => ({ title: 'Public link created' }),
    failed: 'The link was not created',
    touches: [key],
    forget: true,
    onDone: (link) => setUrl(link.url),
  });
  const revoke = useAction({
    run: () => client.orders.revokeReceiptLink(order.id),
    done: () => ({ title: 'Public link revoked' }),
    failed: 'The link was not revoked',
    touches: [key],
    onDone: () => setUrl(null),
  });
  const link = receipt?.publicLink ?? null;
  return (
    <div className="stack">
      <p className="soft">
        {link ? (
          <>
            Anyone who has the public link can read the receipt until <Time value={link.expiresAt} />.
          </>
        ) : (
          'The receipt has no public link.'
        )}
      </p>
      {url ? <SecretDialog secret={linkSecret(url)} onClose={() => setUrl(null)} /> : null}
      <div className="row">
        <Button isBusy={create.isPending} reason={denial} onClick={() => create.mutate()}>
          {link ? 'Replace public link' : 'Create public link'}
        </Button>
        {link ? (
          <Button isBusy={revoke.isPending} reason={denial} onClick={() => revoke.mutate()}>
            Revoke public link
          </Button>
        ) : null}
      </div>
    </div>
  );
};
