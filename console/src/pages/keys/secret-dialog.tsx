// Shows a secret once. The secret exists in this dialog alone: never in a cache or in storage, and not after it is
// closed.

import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';

export type Secret = {
  readonly title: string;
  readonly secret: string;
  /** `Key` or `Token`. */
  readonly what: string;
  /** What changes now, and what to do next. */
  readonly text: ReactNode;
};

type Props = { readonly secret: Secret; readonly onClose: () => void };

export const SecretDialog = ({ secret: { title, secret, what, text }, onClose }: Props) => (
  <Dialog isOpen isPersistent onClose={onClose} title={title}>
    <div className="stack-tight">
      {text}
      <p>
        <strong>This secret is shown only once.</strong> Store it in a safe place; it cannot be displayed again.
      </p>
    </div>
    <code className="keys-secret">{secret}</code>
    <div className="dialog-actions">
      <CopyButton what={what} tone="accent" text={() => secret}>
        Copy
      </CopyButton>
      <Button onClick={onClose}>I have saved the secret</Button>
    </div>
  </Dialog>
);
