/** Where something that is said of a customer holds, and until when. */
import { Button, Select, TextInput } from '@mantine/core';
import type { Environment } from '#contracts/environments';
import classes from './customers.module.css';

export interface Scope {
  /** Null: in all environments. */
  readonly environmentId: string | null;
  /** As the field has it, in the reader's zone; empty: it does not end. */
  readonly until: string;
}

const EVERYWHERE = 'everywhere';
const DAY_MS = 86_400_000;

export interface ScopeFieldsProps {
  readonly environments: readonly Environment[];
  readonly scope: Scope;
  readonly onChange: (scope: Scope) => void;
  readonly errors: { readonly environmentId?: string; readonly until?: string };
}

export function ScopeFields({ environments, scope, onChange, errors }: ScopeFieldsProps) {
  const inDays = (days: number) => onChange({ ...scope, until: localText(Date.now() + days * DAY_MS) });
  return (
    <>
      <Select
        label="Environment"
        data={[
          { value: EVERYWHERE, label: 'All environments' },
          ...environments.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        allowDeselect={false}
        value={scope.environmentId ?? EVERYWHERE}
        error={errors.environmentId}
        onChange={(value) => onChange({ ...scope, environmentId: value === EVERYWHERE ? null : value })}
      />
      <div>
        <TextInput
          type="datetime-local"
          label="Until"
          description="In your time zone. Empty: it does not end."
          value={scope.until}
          error={errors.until}
          onChange={(event) => onChange({ ...scope, until: event.currentTarget.value })}
        />
        <div className={classes.presets}>
          <Button variant="default" size="compact-xs" onClick={() => inDays(7)}>
            In 7 days
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => inDays(30)}>
            In 30 days
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => onChange({ ...scope, until: '' })}>
            No end
          </Button>
        </div>
      </div>
    </>
  );
}

/** The instant that was entered; null for none, and NaN for what is no instant. */
export function untilOf({ until }: Scope): number | null {
  return until === '' ? null : new Date(until).getTime();
}

function localText(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
