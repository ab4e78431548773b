// A modal dialog for a form.

import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

type Props = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** A click outside does not close the dialog, because its content is shown once. */
  readonly isFirm?: boolean;
  readonly children: ReactNode;
};

export const Dialog = ({ isOpen, onClose, title, isFirm = false, children }: Props) => (
  <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()} disablePointerDismissal={isFirm}>
    <Base.Portal>
      <Base.Backdrop className="dialog-shade" />
      <Base.Popup className="dialog">
        <Base.Title>{title}</Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
