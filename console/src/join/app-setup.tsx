// Registers an app that shows codes: a picture to scan, the same secret as text, and the first code as proof. The secret is asked once per
// visit, and exists in this part alone.

import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { askConsole } from '../console-routes.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { TextField } from '../parts/fields.tsx';
import { Loaded } from '../parts/loaded.tsx';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

type Field = {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (event: { target: { value: string } }) => void;
};

type Begun = { readonly secret: string; readonly uri: string };

/** In groups of four, for typing. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

export const AppSetup = ({ token, field }: { readonly token: string; readonly field: Field }) => {
  const query = useQuery({
    queryKey: ['invite-app', token],
    queryFn: () => askConsole<Begun>('POST /console/invite/totp', { invitation: token }),
    staleTime: Number.POSITIVE_INFINITY,
    // The cookie of another registration replaces that of this one.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <fieldset className="join-app">
      <legend className="field-label">App that shows codes</legend>
      <Loaded query={query} name="The secret of the app">
        {({ secret, uri }) => (
          <>
            <p>Scan the picture with the app on your phone, or type the secret there.</p>
            <div className="join-secret">
              <Suspense>
                <QrCode text={uri} />
              </Suspense>
              <div className="stack-tight">
                <code className="join-code">{grouped(secret)}</code>
                <CopyButton what="Secret" text={() => secret}>
                  Copy the secret
                </CopyButton>
              </div>
            </div>
          </>
        )}
      </Loaded>
      <TextField label="Code of the app" inputMode="numeric" autoComplete="one-time-code" maxLength={6} {...field} />
    </fieldset>
  );
};
