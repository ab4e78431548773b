// Shows a secret once. Until it is copied or its button is pressed, the dialog asks before it closes: on Escape, on a change of page, on a
// reload and on a closed tab. The secret exists in this dialog alone: never in a cache or in storage, and not after it is closed.

import '../../styles/secret.css';
import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { Dialog } from '../dialog.tsx';
import { Notice } from '../notice.tsx';
import { useUnsaved } from './use-unsaved.ts';

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
  const [isCopied, setCopied] = useState(false);
  const isUnsaved = !isPublic && !isCopied;
  const { isLeaving, stay, leave } = useUnsaved(isUnsaved);
  const keepOpen = (): void => {
    setAsking(false);
    stay();
  };
  const close = (): void => {
    onClose();
    leave();
  };
  return (
    <Dialog
      isOpen
      isPersistent
      onClose={onClose}
      onEscape={() => (isUnsaved ? setAsking(true) : onClose())}
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
      {isUnsaved && (isAsking || isLeaving) ? (
        <Notice title="Close without saving the secret?" tone="bad">
          <p>It cannot be displayed again: you would have to create another one.</p>
          <div className="row">
            <Button onClick={keepOpen}>Keep open</Button>
            <Button tone="bad" onClick={close}>
              Close without saving
            </Button>
          </div>
        </Notice>
      ) : null}
      <div className="dialog-actions">
        <CopyButton what={what} tone="accent" text={() => secret} onCopied={() => setCopied(true)}>
          Copy
        </CopyButton>
        <Button onClick={onClose}>{isPublic ? 'Close' : 'I have saved the secret'}</Button>
      </div>
    </Dialog>
  );
};
