// Passkeys in the browser (WebAuthn). The server makes the options and checks the answer; here only the browser's own functions are called.

const IP_ADDRESS = /^(\d+\.){3}\d+$|^\[/;

/** Null when this page can use passkeys, otherwise the reason why not. */
export const whyNoPasskey = (): string | null => {
  const { hostname, port } = window.location;
  if (IP_ADDRESS.test(hostname)) {
    const local = hostname === '127.0.0.1' || hostname === '[::1]';
    const address = `http://localhost${port ? `:${port}` : ''}/console`;
    return `Passkeys need a host name and not an IP address.${local ? ` Open ${address}.` : ''}`;
  }
  const hasJson = typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;
  return hasJson ? null : 'Passkeys need https and a current browser.';
};

const CANCELED = 'The browser or the device did not finish. Try again.';

const finished = async (asking: Promise<Credential | null>): Promise<unknown> => {
  try {
    const credential = await asking;
    if (credential) return (credential as PublicKeyCredential).toJSON();
  } catch (error) {
    if ((error as Error).name === 'InvalidStateError') throw new Error('This device has a passkey for you already.');
  }
  throw new Error(CANCELED);
};

export const getPasskey = (options: unknown): Promise<unknown> =>
  finished(
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON),
    }),
  );

export const makePasskey = (options: unknown): Promise<unknown> =>
  finished(
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON),
    }),
  );
