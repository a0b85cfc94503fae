/** Role select with a description per role. Only owners may choose the owner role. */
import { Select, type SelectProps, Stack } from '@mantine/core';
import type { Role } from '#contracts/console/permissions';
import { roleSchema } from '#contracts/console/permissions';
import { ROLE_DESCRIPTIONS, ROLE_LABELS } from './team-rows.ts';

type RoleSelectProps = Pick<SelectProps, 'error'> & {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  /** Whether the viewer may grant the owner role. */
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
        <Stack component="span" gap={0} py={2} px={0}>
          <span>{option.label}</span>
          <span className="muted tiny">
            {option.disabled
              ? 'Only owners can add owners.'
              : ROLE_DESCRIPTIONS[roleSchema.parse(option.value)]}
          </span>
        </Stack>
      )}
      allowDeselect={false}
      checkIconPosition="right"
    />
  );
}
