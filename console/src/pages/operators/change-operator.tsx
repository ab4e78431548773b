// Changes the role and the name of an operator. A new role takes effect with the next request.

import type { Operator } from '@holdfast/sdk';
import { useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { FormConfirm } from '../../parts/money/form-confirm.tsx';
import { useClient } from '../../session.tsx';
import { ROLE_OPTIONS, ROLE_WORDS, type Role } from './role-words.ts';

type Props = { readonly operator: Operator; readonly onClose: () => void };

export const ChangeOperator = ({ operator, onClose }: Props) => {
  const client = useClient();
  const [name, setName] = useState(operator.name);
  const [role, setRole] = useState<Role>(operator.role);
  const [refusal, setRefusal] = useState<unknown>(null);
  const input = { name: name.trim(), role };
  const act = useAction({
    run: () => client.operators.update(operator.id, input),
    done: (changed) => ({
      title: `${isolateBidi(changed.name)} changed`,
      text: `Role: ${ROLE_WORDS[changed.role].name}. It takes effect with the next request.`,
    }),
    failed: 'The operator was not changed',
    touches: [['operators'], ['audit']],
    quiet: true,
    onDone: onClose,
  });
  const errors = fieldErrorsOf(act.error ?? refusal, ['name', 'role']);
  const isEmpty = input.name === '';
  return (
    <FormConfirm
      isOpen
      onClose={onClose}
      title={`Change ${isolateBidi(operator.name)}`}
      check={() => !isEmpty}
      act={act}
      confirm="Change operator"
      onConfirm={() => act.mutate()}
      preview={{
        key: ['operators', operator.id, input],
        ask: () => client.operators.update(operator.id, input, { dryRun: true }),
      }}
      onRefusal={setRefusal}
      sentence={
        <p>
          {ROLE_WORDS[operator.role].name} becomes {ROLE_WORDS[role].name}. {ROLE_WORDS[role].text} The change takes
          effect with the next request, in open sessions too.
        </p>
      }
    >
      <SelectField
        label="Role"
        value={role}
        options={ROLE_OPTIONS}
        hint={ROLE_WORDS[role].text}
        error={errors.role}
        onChange={(event) => setRole(event.target.value as Role)}
      />
      <TextField
        label="Name"
        value={name}
        error={isEmpty ? 'Enter a name.' : errors.name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormConfirm>
  );
};
