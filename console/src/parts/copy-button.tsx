// Copies a text and confirms it: as a button with a label, or as an icon beside the text.

import { type ReactNode, useState } from 'react';
import { announce } from '../shell/announcer.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { showErrorToast } from './toasts.tsx';

type Props = {
  /** Built on click, because it may be long. */
  readonly text: () => string;
  /** The name of the copied thing, as the start of a sentence: `Key`. */
  readonly what: string;
  readonly tone?: 'accent' | 'plain';
  readonly reason?: string | null;
  readonly onCopied?: () => void;
  readonly children: ReactNode;
};

const COPIED_MS = 2_000;

export const CopyButton = ({ text, what, tone, reason, onCopied, children }: Props) => {
  const { isCopied, copy } = useCopy(what, onCopied);
  return (
    <Button
      icon={isCopied ? 'done' : 'copy'}
      reason={reason}
      onClick={() => void copy(text())}
      {...(tone === undefined ? {} : { tone })}
    >
      {isCopied ? 'Copied' : children}
    </Button>
  );
};

export const CopyMark = ({ text }: { readonly text: string }) => {
  const { isCopied, copy } = useCopy(text);
  return (
    <button type="button" className="id-copy" aria-label={`Copy ${text}`} onClick={() => void copy(text)}>
      <Icon name={isCopied ? 'done' : 'copy'} />
    </button>
  );
};

const useCopy = (what: string, onCopied?: () => void) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (text: string): Promise<void> => {
    try {
      // Browsers offer the clipboard only over https.
      await navigator.clipboard.writeText(text);
    } catch (error) {
      showErrorToast(`${what} was not copied: the browser refused. Select the text and copy it manually`, error);
      return;
    }
    announce(`${what} copied.`);
    setCopied(true);
    onCopied?.();
    window.setTimeout(() => setCopied(false), COPIED_MS);
  };
  return { isCopied, copy };
};
