// Shows a secret once, and asks before it closes otherwise than with its button. The secret exists in this dialog alone:
// never in a cache or in storage, and not after it is closed.

import '../styles/secret.css';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

export type Secret = {
  readonly title: string;
  readonly secret: string;
  /** `Key`, `Token` or `Secret`. */
  readonly what: string;
  /** What changes now, and what to do next. */
  readonly text: ReactNode;
  /** True for a public key: it can be displayed again, so the dialog does not ask. */
  readonly isPublic?: boolean;
};

type Props = { readonly secret: Secret; readonly onClose: () => void };

export const SecretDialog = ({ secret: { title, secret, what, text, isPublic = false }, onClose }: Props) => {
  const [isAsking, setAsking] = useState(false);
  return (
    <Dialog
      isOpen
      isPersistent
      onClose={onClose}
      onEscape={() => (isPublic ? onClose() : setAsking(true))}
      title={title}
    >
      <div className="stack-tight">
        {text}
        {isPublic ? null : (
          <p>
            <strong>This secret is shown only once.</strong> Store it in a safe place; it cannot be displayed again.
          </p>
        )}
      </div>
      <code className="secret">{secret}</code>
      {isAsking ? (
        <Notice title="Close without saving the secret?" tone="bad">
          <p>It cannot be displayed again: you would have to create another one.</p>
          <div className="row">
            <Button onClick={() => setAsking(false)}>Keep open</Button>
            <Button tone="bad" onClick={onClose}>
              Close without saving
            </Button>
          </div>
        </Notice>
      ) : null}
      <div className="dialog-actions">
        <CopyButton what={what} tone="accent" text={() => secret}>
          Copy
        </CopyButton>
        <Button onClick={onClose}>{isPublic ? 'Close' : 'I have saved the secret'}</Button>
      </div>
    </Dialog>
  );
};
