// A form that moves money, in two steps: the fields, then what will happen in figures. Going back keeps what was typed;
// nothing is done before the second step is confirmed.

import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Confirm, type Effect } from './confirm.tsx';
import { Dialog } from './dialog.tsx';

type Act = { readonly isPending: boolean; readonly error: unknown; reset(): void };

type Props = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The fields. */
  readonly children: ReactNode;
  /** True when the fields can be sent; it makes them show what is wrong otherwise. */
  readonly check: () => boolean;
  /** What will happen, in words. */
  readonly sentence: ReactNode;
  readonly effects: readonly Effect[];
  /** A verb with its figures: `Credit 25.00 USD`. */
  readonly confirm: string;
  readonly tone?: 'accent' | 'bad';
  readonly act: Act;
  readonly onConfirm: () => void;
  readonly reason?: string | null;
};

export const FormConfirm = (props: Props) => {
  const { isOpen, onClose, title, act } = props;
  const [isSure, setSure] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new beginning forgets the last refusal
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
            <Button onClick={onClose}>Leave it</Button>
            <Button type="submit" tone="accent" icon="arrow" reason={props.reason}>
              Go on
            </Button>
          </div>
        </form>
      </Dialog>
      <Confirm
        isOpen={isOpen && isSure}
        onClose={() => setSure(false)}
        title={title}
        effects={props.effects}
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
