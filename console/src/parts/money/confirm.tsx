// The confirmation before a change: the action, and what the server says that it would do. Closing it does nothing. A route without a
// preview needs a reason, so that no confirmation shows figures of its own.

import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useEffect } from 'react';
import { waitingFor } from '../../api.ts';
import { Button } from '../button.tsx';
import { ErrorNotice, errorTitle } from '../notice.tsx';
import type { Asking, Unpreviewed } from './preview.ts';
import { usePreview } from './preview.ts';
import { PreviewPanel } from './preview-panel.tsx';

type Props = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The action in a sentence or two. */
  readonly children: ReactNode;
  readonly preview: Asking | Unpreviewed;
  /** The label of the button, a verb: `Release 120.00 USD`. */
  readonly confirm: string;
  /** The label of the button that closes the dialog, where `Cancel` would be ambiguous. */ readonly dismiss?: string;
  readonly tone?: 'accent' | 'bad';
  readonly onConfirm: () => void;
  readonly isBusy?: boolean;
  readonly reason?: string | null;
  readonly error?: unknown;
  /** Called with the error of the preview, and with null when it has none. */
  readonly onRefusal?: (error: unknown) => void;
};

export const Confirm = (props: Props) => (
  <AlertDialog.Root open={props.isOpen} onOpenChange={(open) => open || props.isBusy || props.onClose()}>
    <AlertDialog.Portal>
      <AlertDialog.Backdrop className="dialog-shade" />
      <AlertDialog.Popup className="dialog">
        <Content {...props} />
      </AlertDialog.Popup>
    </AlertDialog.Portal>
  </AlertDialog.Root>
);

const NOTHING: Asking = { key: ['none'], ask: null };

/** Mounted while the dialog is open, so each opening asks again. */
const Content = (props: Props) => {
  const { preview, isBusy = false, error, onRefusal } = props;
  const asking = 'none' in preview ? NOTHING : preview;
  // Not asked again once the action runs: it would be refused by what the action has done already.
  const previewed = usePreview(isBusy || waitingFor(error) !== null ? { ...asking, ask: null } : asking);
  const { outcome, error: refusal } = previewed;
  useEffect(() => onRefusal?.(refusal), [refusal, onRefusal]);
  const isMissing = !('none' in preview) && outcome === null;
  // Sent again, it would be a second request.
  const isWaiting = waitingFor(error) !== null;
  const notYet = refusal ? 'The server would refuse it.' : 'The preview is being loaded.';
  return (
    <>
      <AlertDialog.Title>{props.title}</AlertDialog.Title>
      <AlertDialog.Description render={<div className="stack-tight" />}>{props.children}</AlertDialog.Description>
      {isWaiting ? null : 'none' in preview ? (
        <p className="soft">No preview: {preview.none}</p>
      ) : (
        <PreviewPanel asking={asking} previewed={previewed} />
      )}
      {error ? <ErrorNotice title={errorTitle('The action failed', error)} error={error} /> : null}
      <div className="dialog-actions">
        <Button onClick={props.onClose} reason={isBusy ? 'The action is in progress.' : null}>
          {isWaiting ? 'Close' : (props.dismiss ?? 'Cancel')}
        </Button>
        {isWaiting ? null : (
          <Button
            tone={props.tone ?? 'accent'}
            isBusy={isBusy}
            reason={props.reason ?? (isMissing && !isBusy ? notYet : null)}
            onClick={props.onConfirm}
          >
            {props.confirm}
          </Button>
        )}
      </div>
    </>
  );
};
