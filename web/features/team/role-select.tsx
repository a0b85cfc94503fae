/** Chooses a role; each says what it may do, and owners are made by owners only. */
import { Select, type SelectProps } from '@mantine/core';
import type { Role } from '#contracts/permissions';
import { roleSchema } from '#contracts/permissions';
import classes from './team.module.css';
import { ROLE_DESCRIPTIONS, ROLE_LABELS } from './team-rows.ts';

type RoleSelectProps = Pick<SelectProps, 'error'> & {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  /** Whether the viewer may make owners. */
  readonly canMakeOwners: boolean;
};

export function RoleSelect({ value, onChange, canMakeOwners, error }: RoleSelectProps) {
  return (
    <Select
      label="Role"
      description={ROLE_DESCRIPTIONS[value]}
      error={error}
      data={roleSchema.options.map((role) => ({
        value: role,
        label: ROLE_LABELS[role],
        disabled: role === 'owner' && !canMakeOwners,
      }))}
      value={value}
      onChange={(next) => onChange(roleSchema.parse(next))}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <span>{option.label}</span>
          <span className={classes.optionDetail}>
            {option.disabled
              ? 'Only an owner may make owners.'
              : ROLE_DESCRIPTIONS[roleSchema.parse(option.value)]}
          </span>
        </span>
      )}
      allowDeselect={false}
      checkIconPosition="right"
    />
  );
}
