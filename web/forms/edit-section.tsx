/**
 * The card of a form that useEditForm makes: its fields, what somebody else changed meanwhile above them, and the button
 * that saves, disabled until something is entered.
 */
import { Button, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { type ConflictingField, EditConflict } from '../ui/edit-conflict.tsx';
import { Fields } from '../ui/fields.tsx';
import { Section } from '../ui/section.tsx';

export interface EditSectionProps {
  readonly title: string;
  readonly description: string;
  /** What is edited: 'The feature'. */
  readonly what: string;
  readonly saveLabel: string;
  /** As useEditForm has it. */
  readonly edit: {
    readonly isDirty: boolean;
    readonly isSaving: boolean;
    readonly submit: FormEventHandler<HTMLFormElement>;
    readonly conflict:
      | false
      | { readonly fields: readonly ConflictingField[]; readonly taken: readonly string[] };
  };
  /** The viewer may look only. */
  readonly isReadOnly?: boolean;
  readonly children: ReactNode;
}

export function EditSection(props: EditSectionProps) {
  const { title, description, what, saveLabel, edit, isReadOnly = false, children } = props;
  const { isDirty, isSaving, submit, conflict } = edit;
  return (
    <form onSubmit={submit} noValidate>
      <Section
        title={title}
        description={description}
        footer={
          !isReadOnly && (
            <Button type="submit" disabled={!isDirty} loading={isSaving}>
              {saveLabel}
            </Button>
          )
        }
      >
        <Stack gap={16}>
          {conflict && <EditConflict what={what} saveLabel={saveLabel} {...conflict} />}
          <Fields isDisabled={isReadOnly || isSaving}>{children}</Fields>
        </Stack>
      </Section>
    </form>
  );
}
