// A new password with its rules. The server also refuses passwords that are guessed first.

import { useState } from 'react';
import { CheckField, TextField } from '../parts/fields.tsx';

const LENGTH_LEAST = 12;
const LENGTH_MOST = 256;

/** Null when the password can be sent. */
export const passwordProblem = (password: string): string | null => {
  const { length } = [...password];
  if (length < LENGTH_LEAST) return `Enter at least ${LENGTH_LEAST} characters: ${length} so far.`;
  return length > LENGTH_MOST ? `Enter at most ${LENGTH_MOST} characters.` : null;
};

type Props = {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (event: { target: { value: string } }) => void;
};

const RULES =
  `${LENGTH_LEAST} characters or more. Several words are better than special characters. ` +
  'Not your name, your e-mail address, or a password that is guessed first.';

export const PasswordField = ({ value, error, onChange }: Props) => {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <TextField
        label="New password"
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        hint={RULES}
        value={value}
        error={error}
        onChange={onChange}
      />
      <CheckField label="Show the password" checked={isShown} onChange={(event) => setShown(event.target.checked)} />
    </>
  );
};
