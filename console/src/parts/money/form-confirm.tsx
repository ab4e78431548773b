// A form that moves money, in two steps: the fields, then a confirmation with the server's preview. Going back keeps the input.
// Nothing is changed before the second step is confirmed.

import { type ReactNode, useEffect, useState } from 'react';
import { waitingFor } from '../../api.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Confirm } from './confirm.tsx';
import type { Asking, Unpreviewed } from './preview.ts';

type Act = { readonly isPending: boolean; readonly error: unknown; reset(): void };

type Props = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The fields. */
  readonly children: ReactNode;
  /** Validates the fields: true when they can be sent, otherwise the fields show their errors. */
  readonly check: () => boolean;
  /** The action in words. */
  readonly sentence: ReactNode;
  readonly preview: Asking | Unpreviewed;
  /** Called with the error of the preview, so that the fields can show it. */
  readonly onRefusal: (error: unknown) => void;
  /** A verb with the amount: `Credit 25.00 USD`. */
  readonly confirm: string;
  readonly tone?: 'accent' | 'bad';
  readonly act: Act;
  readonly onConfirm: () => void;
  readonly reason?: string | null;
};

export const FormConfirm = (props: Props) => {
  const { isOpen, onClose, title, act } = props;
  const [isSure, setSure] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening the form again clears the last error
  useEffect(() => {
    setSure(false);
    if (isOpen) act.reset();
  }, [isOpen]);
  return (
    <>
      <Dialog isOpen={isOpen && !isSure} onClose={onClose} title={title}>
        <form
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (props.reason || !props.check()) return;
            act.reset();
            setSure(true);
          }}
        >
          {props.children}
          <div className="dialog-actions">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" tone="accent" icon="arrow" reason={props.reason}>
              Continue
            </Button>
          </div>
        </form>
      </Dialog>
      <Confirm
        isOpen={isOpen && isSure}
        onClose={() => (waitingFor(act.error) === null ? setSure(false) : onClose())}
        title={title}
        preview={props.preview}
        onRefusal={props.onRefusal}
        confirm={props.confirm}
        {...(props.tone ? { tone: props.tone } : {})}
        onConfirm={props.onConfirm}
        isBusy={act.isPending}
        reason={props.reason ?? null}
        error={act.error}
      >
        {props.sentence}
      </Confirm>
    </>
  );
};
