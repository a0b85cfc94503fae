/** Where something that is said of a customer by hand holds, until when, and why it is said. */
import { Button, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Environment } from '#contracts/environments';
import classes from './customers.module.css';
import { ReasonField } from './reason-field.tsx';

export interface Circumstances {
  /** Null: in all environments. */
  environmentId: string | null;
  /** As the field has it, in the reader's zone; empty: it does not end. */
  until: string;
  reason: string;
}

export const NO_CIRCUMSTANCES: Circumstances = { environmentId: null, until: '', reason: '' };

/** As it is sent: `until` as an instant, null for none, NaN for what is no instant. */
export function circumstancesOf({ environmentId, until, reason }: Circumstances) {
  return { environmentId, until: until === '' ? null : new Date(until).getTime(), reason };
}

const EVERYWHERE = 'everywhere';
const DAY_MS = 86_400_000;

export interface CircumstanceFieldsProps {
  /** Of values that hold circumstances among others. */
  readonly form: Pick<UseFormReturnType<Circumstances>, 'values' | 'errors' | 'setValues'>;
  readonly environments: readonly Environment[];
}

export function CircumstanceFields({ form, environments }: CircumstanceFieldsProps) {
  const { values, errors, setValues } = form;
  const endIn = (days: number) => setValues({ until: localText(Date.now() + days * DAY_MS) });
  return (
    <>
      <Select
        label="Environment"
        data={[
          { value: EVERYWHERE, label: 'All environments' },
          ...environments.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        allowDeselect={false}
        value={values.environmentId ?? EVERYWHERE}
        error={errors.environmentId}
        onChange={(value) => setValues({ environmentId: value === EVERYWHERE ? null : value })}
      />
      <div>
        <TextInput
          type="datetime-local"
          label="Until"
          description="In your time zone. Empty: it does not end."
          value={values.until}
          error={errors.until}
          onChange={(event) => setValues({ until: event.currentTarget.value })}
        />
        <div className={classes.presets}>
          <Button variant="default" size="compact-xs" onClick={() => endIn(7)}>
            In 7 days
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => endIn(30)}>
            In 30 days
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => setValues({ until: '' })}>
            No end
          </Button>
        </div>
      </div>
      <ReasonField value={values.reason} error={errors.reason} onChange={(reason) => setValues({ reason })} />
    </>
  );
}

function localText(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
