// The choice of how to sign in from now on.

export type Way = 'app' | 'passkey' | 'password';

type Props = {
  readonly way: Way;
  readonly onChange: (way: Way) => void;
  /** Whether a password alone suffices. */
  readonly mayBeNone: boolean;
  readonly noPasskey: string | null;
};

type Row = { readonly way: Way; readonly name: string; readonly text: string };

const ROWS: readonly Row[] = [
  { way: 'app', name: 'Password and code', text: 'A code of an app on your phone, at each sign-in.' },
  { way: 'passkey', name: 'Passkey', text: 'Your device or security key, without a password.' },
  { way: 'password', name: 'Password alone', text: 'The least safe way.' },
];

export const WayChoice = ({ way, onChange, mayBeNone, noPasskey }: Props) => (
  <fieldset className="join-ways">
    <legend className="field-label">Sign in with</legend>
    {ROWS.filter((row) => mayBeNone || row.way !== 'password').map((row) => {
      const reason = row.way === 'passkey' ? noPasskey : null;
      return (
        <label key={row.way} className="check">
          <input
            type="radio"
            name="way"
            checked={way === row.way}
            disabled={reason !== null}
            onChange={() => onChange(row.way)}
          />
          <span>
            {row.name} <span className="field-hint">{reason ?? row.text}</span>
          </span>
        </label>
      );
    })}
  </fieldset>
);
