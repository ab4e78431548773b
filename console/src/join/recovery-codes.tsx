// The recovery codes, shown once. The page asks before it is closed, until the person says that the codes are saved. They exist in this part
// alone: never in a cache or in storage.

import { useEffect } from 'react';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';

type Props = { readonly codes: readonly string[]; readonly onDone: () => void };

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

export const RecoveryCodes = ({ codes, onDone }: Props) => {
  useEffect(() => {
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  const finish = (): void => {
    window.removeEventListener('beforeunload', ask);
    onDone();
  };
  return (
    <section className="panel sign-in-form">
      <h1>Save your recovery codes</h1>
      <p>
        <strong>These codes are shown only once.</strong> Each replaces a code of your app one time, for example when
        the phone is lost. Keep them where your password is not.
      </p>
      <ol className="join-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <CopyButton what="Recovery codes" text={() => codes.join('\n')}>
        Copy all codes
      </CopyButton>
      <Button tone="accent" onClick={finish}>
        I have saved the codes
      </Button>
    </section>
  );
};
