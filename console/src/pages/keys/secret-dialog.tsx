// A secret, shown once. It lives in this dialog alone: not in a cache, not in a storage, and no more once it is closed.

import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';

export type Secret = {
  readonly title: string;
  readonly secret: string;
  /** `The key` or `The token`. */
  readonly what: string;
  /** What holds from now on, and what to do next. */
  readonly text: ReactNode;
};

type Props = { readonly secret: Secret; readonly onClose: () => void };

export const SecretDialog = ({ secret: { title, secret, what, text }, onClose }: Props) => (
  <Dialog isOpen isFirm onClose={onClose} title={title}>
    <div className="stack-tight">
      {text}
      <p>
        <strong>It is shown only now.</strong> Put it where its user keeps secrets; nobody can read it again.
      </p>
    </div>
    <code className="keys-secret">{secret}</code>
    <div className="dialog-actions">
      <CopyButton what={what} tone="accent" text={() => secret}>
        Copy
      </CopyButton>
      <Button onClick={onClose}>I have saved it</Button>
    </div>
  </Dialog>
);
