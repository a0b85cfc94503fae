/** The fields of a webhook, to add and to edit it. */
import { Checkbox, Input, SegmentedControl, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ChosenWebhookType } from '#contracts/public/webhooks';
import { DescriptionInput } from '#web/forms/description-input.tsx';
import { MonoTextInput } from '#web/forms/mono-text-input.tsx';
import { EVENT_TEXTS, EVENT_TYPES, type NamedEnvironment } from './webhook-labels.ts';

export interface WebhookEntries {
  readonly url: string;
  readonly description: string;
  /** Null: all. */
  readonly environmentIds: string[] | null;
  /** Null: all. */
  readonly types: ChosenWebhookType[] | null;
}

export interface WebhookFieldsProps {
  readonly form: UseFormReturnType<WebhookEntries>;
  /** Undefined while loading. */
  readonly environments: readonly NamedEnvironment[] | undefined;
}

export function WebhookFields({ form, environments = [] }: WebhookFieldsProps) {
  return (
    <>
      <MonoTextInput
        label="Address"
        description="Begins with https:// and has a public domain name."
        placeholder="https://example.com/webhooks/tessera"
        type="url"
        inputMode="url"
        required
        {...form.getInputProps('url')}
      />
      <DescriptionInput
        description="Optional. What the server does with the events."
        minRows={1}
        {...form.getInputProps('description')}
      />
      <AllOrSome
        label="Events"
        options={EVENT_TYPES.map((type) => ({ value: type, label: type, text: EVENT_TEXTS[type] }))}
        {...form.getInputProps('types')}
      />
      <AllOrSome
        label="Environments"
        options={environments.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('environmentIds')}
      />
    </>
  );
}

interface AllOrSomeProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly text?: string }[];
  /** Null: all. */
  readonly value?: Value[] | null;
  readonly onChange?: (value: Value[] | null) => void;
  readonly error?: string;
}

/** Options with a text are listed also while all are chosen. The selection begins with everything. An option that is gone leaves with the next choice. */
function AllOrSome<Value extends string>(props: AllOrSomeProps<Value>) {
  const { label, options, value = null, onChange, error } = props;
  const known = options.map((option) => option.value);
  return (
    <Input.Wrapper label={label} error={error}>
      <Stack gap={10} align="flex-start">
        <SegmentedControl
          aria-label={label}
          value={value === null ? 'all' : 'some'}
          onChange={(next) => onChange?.(next === 'all' ? null : known)}
          data={[
            { value: 'all', label: 'All, including new ones' },
            { value: 'some', label: 'Only selected' },
          ]}
        />
        {(value !== null || options.some(({ text }) => text !== undefined)) && (
          <Stack gap={8} role="group" aria-label={`${label} selected`}>
            {options.map((option) => (
              <Checkbox
                key={option.value}
                label={option.label}
                description={option.text}
                checked={value?.includes(option.value) ?? true}
                disabled={value === null}
                onChange={({ currentTarget: { checked } }) =>
                  onChange?.(known.filter((id) => (id === option.value ? checked : value?.includes(id))))
                }
              />
            ))}
          </Stack>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
