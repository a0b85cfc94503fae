/** The fields that manual grants and overrides share: environment, end and reason. */
import { Button, Group, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Environment } from '#contracts/console/environments';
import { now } from '#web/clock.ts';
import { formatAge, formatInstant, sentence } from '#web/ui/format.ts';
import { ReasonField } from './reason-field.tsx';
import { readInstant, writeInstant } from './written-instant.ts';

export interface EntryTerms {
  /** Null for all environments. */
  environmentId: string | null;
  /** As written; empty for no end. */
  until: string;
  reason: string;
}

/** What a new entry begins with: it is for the environment that is looked at. */
export const newTerms = (environmentId: string): EntryTerms => ({ environmentId, until: '', reason: '' });

/** The request's fields. `until` is an instant, null for no end, NaN for unreadable text. */
export function termsBody({ environmentId, until, reason }: EntryTerms) {
  return { environmentId, until: readEnd(until), reason };
}

/** Null for no end, NaN for unreadable text. */
export const readEnd = (written: string): number | null =>
  written.trim() === '' ? null : readInstant(written);

/** Undefined for now, NaN for unreadable text. */
export const readStart = (written: string): number | undefined =>
  written.trim() === '' ? undefined : readInstant(written, true);

const EVERYWHERE = 'everywhere';
const DAY_MS = 86_400_000;

/** Names what customers of the product notice: 'All environments, including Production'. */
export function everywhereLabel(environments: readonly Pick<Environment, 'name' | 'type'>[]): string {
  const [first, ...others] = environments.filter(({ type }) => type === 'live');
  if (first === undefined) return 'All environments';
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return sentence`All environments, including ${first.name}${more}`;
}

/** A form with the values of these fields. */
export type TermsForm = Pick<UseFormReturnType<EntryTerms>, 'values' | 'errors' | 'setValues'>;

export interface ManualEntryFieldsProps {
  readonly form: TermsForm;
  readonly environments: readonly Environment[];
  /** Why the environment cannot be changed; undefined: it can. */
  readonly fixedEnvironment?: string | undefined;
}

export function ManualEntryFields({ form, environments, fixedEnvironment }: ManualEntryFieldsProps) {
  const { values, errors, setValues } = form;
  return (
    <>
      <EnvironmentField
        environments={environments}
        fixed={fixedEnvironment}
        value={values.environmentId}
        error={errors.environmentId}
        onChange={(environmentId) => setValues({ environmentId })}
      />
      <EndField
        label="Until"
        value={values.until}
        error={errors.until}
        onChange={(until) => setValues({ until })}
      />
      <ReasonField value={values.reason} error={errors.reason} onChange={(reason) => setValues({ reason })} />
    </>
  );
}

export interface EnvironmentFieldProps {
  readonly environments: readonly Environment[];
  /** Why it cannot be changed; undefined: it can. */
  readonly fixed?: string | undefined;
  /** Null for all environments. */
  readonly value: string | null;
  readonly error: ReactNode;
  readonly onChange: (environmentId: string | null) => void;
}

export function EnvironmentField({ environments, fixed, value, error, onChange }: EnvironmentFieldProps) {
  return (
    <Select
      label="Environment"
      data={[
        { value: EVERYWHERE, label: everywhereLabel(environments) },
        ...environments.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      description={fixed}
      disabled={fixed !== undefined}
      allowDeselect={false}
      value={value ?? EVERYWHERE}
      error={error}
      onChange={(chosen) => onChange(chosen === EVERYWHERE ? null : chosen)}
    />
  );
}

export interface EndFieldProps {
  readonly label: string;
  /** As written; empty for no end. */
  readonly value: string;
  readonly error: ReactNode;
  readonly onChange: (written: string) => void;
}

export function EndField({ label, value, error, onChange }: EndFieldProps) {
  const endIn = (days: number) => onChange(writeInstant(now() + days * DAY_MS));
  return (
    <div>
      <TextInput
        label={label}
        placeholder="2026-12-31 18:00"
        description={endLabel(value)}
        autoComplete="off"
        value={value}
        error={error && timeError(readInstant(value), error)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap={6} mt={8}>
        <Preset onClick={() => endIn(7)}>In 7 days</Preset>
        <Preset onClick={() => endIn(30)}>In 30 days</Preset>
        <Preset onClick={() => onChange('')}>No end</Preset>
      </Group>
    </div>
  );
}

/** Empty for now. */
export function StartField({ label, value, error, onChange }: EndFieldProps) {
  const at = readInstant(value, true);
  return (
    <TextInput
      label={label}
      placeholder="Now"
      description={
        Number.isNaN(at)
          ? 'A date, or a date and time, in your time zone. Leave empty for now.'
          : `Starts ${formatInstant(at)}, ${formatAge(at, now())}.`
      }
      autoComplete="off"
      value={value}
      error={error && timeError(at, error)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const Preset = (props: { readonly onClick: () => void; readonly children: string }) => (
  <Button variant="default" size="compact-xs" h="var(--control-height)" px={10} {...props} />
);

/** What the field says about a text that is no time; otherwise what the server's rule says. */
const timeError = (at: number, otherwise: ReactNode): ReactNode =>
  Number.isNaN(at) ? 'Write it like 2026-12-31, or 2026-12-31 18:00' : otherwise;

/** How the end is understood. */
function endLabel(end: string): string {
  const at = readInstant(end);
  return Number.isNaN(at)
    ? 'A date, or a date and time, in your time zone. Leave empty for no end.'
    : `Ends ${formatInstant(at)}, ${formatAge(at, now())}.`;
}
