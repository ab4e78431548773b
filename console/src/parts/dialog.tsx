// A modal dialog for a form.

import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

type Props = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Only a button closes the dialog, not Escape and not a click outside, because its content is shown once. */
  readonly isPersistent?: boolean;
  /** What Escape does in a persistent dialog instead of closing it. */
  readonly onEscape?: () => void;
  readonly children: ReactNode;
};

export const Dialog = ({ isOpen, onClose, title, isPersistent = false, onEscape, children }: Props) => (
  <Base.Root
    open={isOpen}
    onOpenChange={(open, { reason }) => {
      if (open) return;
      if (isPersistent && reason === 'escape-key') onEscape?.();
      else onClose();
    }}
    disablePointerDismissal={isPersistent}
  >
    <Base.Portal>
      <Base.Backdrop className="dialog-shade" />
      <Base.Popup className="dialog">
        <Base.Title>{title}</Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
